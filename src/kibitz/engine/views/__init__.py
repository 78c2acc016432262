"""What seats see: views declared field by field, events, and both as plain Python values."""
