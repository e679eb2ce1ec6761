"""What of a visitor stands in eBay's pages, beyond what every site has: the postcode that delivery is reckoned for."""

import re

SECRETS = (
    re.compile(rb"stpos(?:=|%3D|\"\s*:\s*\"|&quot;\s*:\s*&quot;)(\w[\w \-]{2,11})"),
    re.compile(rb"zipCode\"\s*,\s*\"paramValue\"\s*:\s*\"([^\"]{3,12})"),
    re.compile(rb"zip%3D(\w{3,10})"),
)
"""Each begins with a literal, to be found fast; group 1 is what is taken out."""
