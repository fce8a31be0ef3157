"""What `manage.py bench` measures: the engine alone, and the product end to end."""
