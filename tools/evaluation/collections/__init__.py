"""85 answers about five short documents: right ones, wrong ones, and ones to questions that the
documents do not answer. `manage.py evaluate_collections` checks them against collections."""
