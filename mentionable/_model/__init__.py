"""The contract: values only."""
