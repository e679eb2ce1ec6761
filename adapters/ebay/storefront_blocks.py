"""The eBay look-alike's pages that are no shop pages: missing listings, and each way in which the site blocks."""

_ERROR = """<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="robots"
 content="noindex,nofollow"><title>Error Page | eBay</title></head>
<body><main class="main-content"><div class="status--container"><div class="error-header"><div class="error-header__text-block">
<p class="error-header__headline">SORRY</p><div id="error-info"><p>Something went wrong on our end</p><hr><p
 class="reference-id">0.00000000.0000000000.0</p>
<hr><p>Please go back and try again<br>or go to eBay Homepage.</p></div><a class="fake-btn"
 href="https://www.ebay.com">Go to homepage</a></div></div></div>
</main><footer id="glbfooter"><p>Local look-alike</p></footer></body></html>"""

_CHALLENGE = """<html><head><meta charset="UTF-8"><title>Pardon Our Interruption...</title><script>$ssgST=new Date().getTime();</script>
<script type="text/javascript" data-inlinepayload='{"loggerProps":{"serviceName":"splashui"}}'></script></head><body><div
 class="ghw"><header id="gh"
 class="gh-header"><a class="gh-logo" href="https://www.ebay.com">eBay</a></header></div><div
 class="pgHeading"><h1><div>Checking your browser before you access eBay.</div></h1>
<div>Your browser will take you to what you asked for in a moment.</div><div><b>Reference ID:</b> local</div></div><div>
<input id="_pvt" type="hidden"><input id="_crefId" type="hidden" value="local"><input id="_chlghost" type="hidden"
 value="https://www.ebay.com">
<input id="_appName" type="hidden" value="orch"><form id="destForm" method="GET"
 action="https://www.ebay.com/"></form></div></body></html>"""

_CAPTCHA = """<html lang="en"><head><meta charset="UTF-8"><script type="text/javascript"
 data-inlinepayload='{"loggerProps":{"serviceName":"splashui"}}'></script><title>Security measure | eBay</title></head><body
 class="no-touch">
<div class="global-header"><a class="gh-logo" href="https://www.ebay.com">eBay</a></div><main id="mainContent" role="main"><div
 id="wrapper" class="grid-cntr">
<form id="captcha_form" action="captcha_submit" method="post"><input type="hidden" name="srt" value="local"><input type="hidden"
 name="appName" value="orch">
<input type="hidden" name="iid" id="iid" value="local"><div id="areaTitle"
 class="pgHeading"><h1>Please verify yourself to continue</h1></div>
<div class="target-icaptcha-slot" id="captcha_loading"></div></form></div></main></body></html>"""

_SIGN_IN = """<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Sign in or Register | eBay</title></head><body><div
 id="mainCnt">
<h1 id="greeting-msg">Hello</h1><form id="signin-form" name="SignInForm" method="post" action="https://signin.ebay.com/signin/s"><input
 id="userid" name="userid"
 type="text" placeholder="Email or username"><input id="pass" name="pass" type="password"><button
 id="signin-continue-btn">Continue</button></form></div>
</body></html>"""

_DENIED = """<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY>
<H1>Access Denied</H1>You don't have permission to access this page on this server.<P>
Reference&#32;&#35;18&#46;local</BODY></HTML>"""

_MISSING = """<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>eBay - Page is missing</title></head><body><div
 class="error-page">
<h1>We looked everywhere.</h1><p>Looks like this page is missing. If you still need help, visit our <a
 href="https://www.ebay.com/help/home">help pages</a>.</p>
</div></body></html>"""


def missing_page() -> str:
    """What the site says of a listing or page that it does not have; sent with status 404."""
    return _MISSING


def block_page(reason: str) -> tuple[int, str]:
    """Status and body of a block: ``captcha``, ``challenge``, ``interstitial``, ``sign_in`` or ``server_error``."""
    pages = {"captcha": (200, _CAPTCHA), "challenge": (200, _CHALLENGE), "interstitial": (403, _DENIED), "sign_in": (200, _SIGN_IN)}
    return pages.get(reason, (503, _ERROR))
