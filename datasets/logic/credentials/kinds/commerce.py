"""Keys of payment and shop systems."""

from datasets.logic.credentials.kind import Kind
from datasets.logic.credentials.shapes import ALNUM, ANY_HEX, BASE64, HEX, RIGHT, URLSAFE, begins, counted, joint, sized

SQUARE = "Square: access tokens; OAuth API"
STRIPE = "Stripe: API keys; webhook signatures"

KINDS = (
    Kind("stripe_key", "k_", rf"{begins('[sr]k_')}(?:live|test|prod)_{sized(ALNUM, 99, 24, least=16)}", STRIPE),
    Kind("stripe_webhook_secret", "whsec_", rf"whsec_{sized(BASE64, 32, least=24)}={{0,2}}", STRIPE),
    Kind(
        "square_token", "sq0", rf"{begins('sq0')}(?:atp|csp|idp)-{sized(URLSAFE, 43, 22, least=22)}", SQUARE, gate="-"
    ),
    Kind("square_token", "EAAA", rf"(?<![+]){begins('EAAA')}{counted(URLSAFE, 60)}(?![A-Za-z0-9+=])", SQUARE),
    Kind("shopify_token", "shp", rf"shp(?:at|ca|pa|ss|tka)_{counted(ALNUM, 32)}", "Shopify: authentication", gate="_"),
    Kind("shippo_token", "shippo_", rf"shippo_(?:live|test)_{counted(ANY_HEX, 40)}", "Shippo: authentication"),
    Kind("easypost_key", "EZ", rf"{begins('EZ[AT]K')}{counted(ALNUM, 54)}{RIGHT}", "EasyPost: authentication"),
    Kind(
        "flutterwave_key",
        "FLWSECK",
        rf"FLWSECK(?:_TEST)?-(?:{counted('a-h0-9', 32)}|{counted('a-h0-9', 12)})(?:-X)?",
        "Flutterwave: API keys",
    ),
    Kind(
        "paypal_token",
        "access_token$",
        rf"access_token\$(?:production|sandbox){joint('[$]')}{counted('0-9a-z', 16)}{joint('[$]')}{counted(HEX, 32)}",
        "PayPal: access tokens of Braintree",
    ),
)
