"""The values of the specification, how they are checked, and how they become JSON and back."""
