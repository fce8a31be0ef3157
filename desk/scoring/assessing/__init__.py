"""How right the verdicts were, by what reviewers said of them: the figures of `evaluate`, over
stored signals. No model is run.
"""
