"""The Amazon look-alike's pages that are no shop pages: not found, and each way in which the site blocks."""

from html import escape

_ERROR = """<!DOCTYPE html>

<html><head><meta charset="utf-8"/><meta content="width=device-width, initial-scale=1" name="viewport"/><title>{title}</title>
<style>html,body{{padding:0;margin:0;font-family:Arial}}#a{{background:#232f3e;padding:11px 11px 11px 192px}}
#g{{text-align:center;margin:30px 0}}</style>
</head><body><!--
    To discuss automated access to Amazon data please contact api-services-support@amazon.com.
-->
<a href="/ref={mark}_logo"><img alt="Amazon" id="b" src="https://images-na.ssl-images-amazon.com/images/G/01/error/logo._TTD_.png"/></a>
<form accept-charset="utf-8" action="/s" id="a" method="GET" role="search"><div id="c"><input id="e" name="field-keywords"
 placeholder="Search"/>
<input id="f" type="submit" value="Go"/></div></form><div id="g"><div><a href="/ref={mark}_link"><img alt="{text}"
 src="https://images-na.ssl-images-amazon.com/images/G/01/error/{picture}"/></a></div><a href="/dogsofamazon" target="_blank"
 rel="noopener noreferrer"><img alt="Dogs of Amazon" id="d"/></a></div></body></html>"""

_CAPTCHA = """<!DOCTYPE html>
<!--[if lt IE 7]> <html lang="en-us" class="a-no-js a-lt-ie9"> <![endif]-->
<html class="a-no-js" lang="en-us"><!--<![endif]--><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"/>
<title dir="ltr">Amazon.com</title></head><body>
<!--
        To discuss automated access to Amazon data please contact api-services-support@amazon.com.
-->
<!-- Correios.DoNotSend -->
<div class="a-container a-padding-double-large" style="min-width:350px;padding:44px 0 !important"><div class="a-row a-spacing-double-large"
 style="width: 350px; margin: 0 auto"><div class="a-row a-spacing-medium a-text-center"><i class="a-icon a-logo"></i></div>
<div class="a-box a-alert a-alert-info a-spacing-base"><div class="a-box-inner"><i class="a-icon
 a-icon-alert"></i><h4>{heading}</h4>{more}</div></div>
<div class="a-section"><div class="a-box a-color-offset-background"><div class="a-box-inner a-padding-extra-large">
<form method="get" action="/errors/validateCaptcha" name=""><input type="hidden" name="amzn" value="bG9jYWw="/>
<input type="hidden" name="amzn-r" value="{back}"/>{fields}<div class="a-section a-spacing-extra-large"><div class="a-row">
<span class="a-button a-button-primary a-span12"><span class="a-button-inner"><button type="submit"
 class="a-button-text">Continue shopping</button>
</span></span></div></div></form></div></div></div></div></div></body></html>"""

_PUZZLE = """<input type="hidden" name="field-keywords" value="ABCDEF"/>"""
_LETTERS = """<div class="a-row a-spacing-large"><div class="a-box"><div
 class="a-box-inner"><h4>Type the characters you see in this image:</h4>
<div class="a-row a-text-center"><img src="https://images-na.ssl-images-amazon.com/captcha/local/Captcha_local.jpg"/></div><div class="a-row
 a-spacing-base"><input autocomplete="off" spellcheck="false" id="captchacharacters" name="field-keywords" placeholder="Type characters"
 class="a-span12"
 type="text"/></div></div></div></div>"""

_CHALLENGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title></title><style>body { font-family: "Arial"; }</style>
<script type="text/javascript">window.awsWafCookieDomainList = [];
window.gokuProps = {"key":"bG9jYWw=","iv":"bG9jYWw=","context":"bG9jYWw="};</script>
<script src="https://local.token.awswaf.com/local/challenge.js"></script></head><body><div id="challenge-container"></div>
<script type="text/javascript">
        AwsWafIntegration.saveReferrer();
        AwsWafIntegration.checkForceRefresh().then((forceRefresh) => {
            if (forceRefresh) { AwsWafIntegration.forceRefreshToken().then(() => { window.location.reload(true); }); }
            else { AwsWafIntegration.getToken().then(() => { window.location.reload(true); }); }
        });
</script><noscript><h1>JavaScript is disabled</h1>Please turn JavaScript on and load the page again.</noscript></body></html>"""

_SIGN_IN = """<!doctype html><html class="a-no-js" data-19ax5a9jf="dingo"><head><meta charset="utf-8"/><title
 dir="ltr">Amazon Sign-In</title></head>
<body class="auth-no-skin ap-locale-en_US a-m-us"><div id="a-page"><div class="a-section a-padding-medium auth-workflow"><div
 class="a-section
 a-spacing-none auth-navbar"><a class="a-link-nav-icon" href="/ref=ap_frn_logo"><i class="a-icon a-icon-logo" role="img"
 aria-label="Amazon"></i></a></div>
<div id="authportal-center-section" class="a-section"><div id="authportal-main-section" class="a-section"><form name="signIn"
 method="post" novalidate
 action="https://www.amazon.com/ap/signin" class="auth-validate-form a-spacing-none"><input type="hidden" name="appAction"
 value="SIGNIN_PWD_COLLECT"/>
<input type="hidden" name="openid.return_to" value="ape:bG9jYWw="/><div class="a-box"><div class="a-box-inner"><h1
 class="a-spacing-small">Sign in</h1>
<label for="ap_email" class="a-form-label">Email or mobile phone number</label><input type="email" maxlength="128" id="ap_email"
 autocomplete="username"
 name="email" class="a-input-text a-span12 auth-autofocus"/><input id="continue" class="a-button-input" type="submit"
 value="Continue"/></div></div></form>
</div></div></div></div></body></html>"""


def not_found_page() -> str:
    """What the site says of an address that it does not have; sent with status 404."""
    return _ERROR.format(title="Page Not Found", mark="cs_404", picture="en_US/title._TTD_.png", text="Sorry! We couldn't find that page.")


def block_page(reason: str, path: str) -> tuple[int, str]:
    """Status and body of a block: ``captcha``, ``challenge``, ``interstitial``, ``sign_in`` or ``server_error``."""
    back = escape(path)
    if reason == "captcha":
        more = '<p class="a-last">Sorry, we just need to make sure you\'re not a robot.</p>'
        return 200, _CAPTCHA.format(heading="Enter the characters you see below", more=more, back=back, fields=_LETTERS)
    if reason == "interstitial":
        return 200, _CAPTCHA.format(heading="Click the button below to continue shopping", more="", back=back, fields=_PUZZLE)
    if reason == "challenge":
        return 202, _CHALLENGE
    if reason == "sign_in":
        return 200, _SIGN_IN
    text = "Sorry! Something went wrong on our end."
    return 503, _ERROR.format(title="Sorry! Something went wrong!", mark="cs_503", picture="500_503.png", text=text)
