"""What of a visitor stands in Amazon's pages, beyond what every site has: session numbers and the place of delivery."""

import re

SECRETS = (
    re.compile(rb"ue_sid\s{0,3}=\s{0,3}['\"]([^'\"\s]{6,})"),
    re.compile(rb"ubid[\w\-]{0,40}(?:['\"]|&quot;)?\s{0,3}[:=]\s{0,3}(?:['\"]|&quot;)?([\w\-]{8,})"),
    # glow-ingress-line2, contextualIngressPtLabel: a town and its postcode; a country has no digits and stays
    re.compile(rb"ngress(?:-line[12]|PtLabel)[^<>]{0,80}>\s*(?:<span[^<>]{0,80}>\s*)?([^<>]*\d[^<>]*)"),
)
"""Each begins with a literal, to be found fast; group 1 is what is taken out."""
