"""Chains of the site that the broken ones are made of."""
