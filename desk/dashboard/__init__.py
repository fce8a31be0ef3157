"""The figures of the dashboard: filters, tables, and the list behind each figure."""
