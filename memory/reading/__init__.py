"""How a manager's sentence is read: its tokens, figures and closed classes of words."""
