"""The final text: claims removed or flagged, citations inserted or removed."""
