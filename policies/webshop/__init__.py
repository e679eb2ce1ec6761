"""WebShop's published policies: search by BART, choice by BERT with cross-attention (arXiv 2207.01206)."""
