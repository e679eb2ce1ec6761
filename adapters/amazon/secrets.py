"""What of a visitor stands in Amazon's pages, beyond what every site has: session numbers and the place of delivery."""

import re

SECRETS = (
    re.compile(rb"ue_sid\s*=\s*['\"]([^'\"\s]{6,})"),
    re.compile(rb"session:\s*\{\s*id:\s*['\"]([^'\"\s]{6,})"),
    re.compile(rb"ubid[\w\-]*(?:['\"]|&quot;)?\s*[:=]\s*(?:['\"]|&quot;)?([\w\-]{8,})"),
    re.compile(rb"/1/batch/1/OP/\w+:([\d\-]{12,})"),
    # a town and its postcode; a country has no digits and stays
    re.compile(rb"glow-ingress-line[12][^<>]{0,80}>\s*([^<>]*\d[^<>]*)"),
    re.compile(rb"contextualIngressPtLabel[^<>]{0,80}>\s*(?:<span[^<>]{0,80}>\s*)?([^<>]*\d[^<>]*)"),
)
"""Each begins with a literal, to be found fast; group 1 is what is taken out."""
