"""Pictures of what is not there: a small drawing that belongs to its name."""

from bridge.simulator.catalogue import CatalogueProduct
from bridge.storefront.stock import draw

_BOX = '<rect x="70" y="50" width="100" height="140" rx="14"/>'
_BOTTLE = '<path d="M98 40h44v24l18 26v104a14 14 0 0 1-14 14H94a14 14 0 0 1-14-14V90l18-26z"/>'
_BAG = '<path d="M76 56h88l8 22v112a16 16 0 0 1-16 16H84a16 16 0 0 1-16-16V78z"/><path d="M92 104h56v46H92z" fill="#fff" opacity=".5"/>'
_SHAPES = {
    "beauty": (_BOTTLE, '<rect x="96" y="96" width="48" height="104" rx="6"/><path d="M104 90V58l32-18v50z"/>'),
    "electronics": (
        '<rect x="50" y="66" width="140" height="92" rx="10"/><rect x="106" y="158" width="28" height="26"/>'
        '<rect x="84" y="184" width="72" height="10"/>',
        '<path d="M52 140a68 68 0 0 1 136 0h-18a50 50 0 0 0-100 0z"/><rect x="46" y="136" width="36" height="60" rx="14"/>'
        '<rect x="158" y="136" width="36" height="60" rx="14"/>',
    ),
    "fashion": (
        '<path d="M60 80l30-22q30 24 60 0l30 22-16 28-16-8v96H92v-96l-16 8z"/>',
        '<path d="M92 50h56l6 34-10 24 30 92H66l30-92-10-24z"/>',
    ),
    "shoes": ('<path d="M40 150q30 4 52-36l34 12q6 26 50 30 26 6 24 26H40z"/>',),
    "garden": (
        '<path d="M84 60h72l26 66H58z"/><rect x="114" y="126" width="12" height="62"/><rect x="84" y="188" width="72" height="12" rx="6"/>',
        '<rect x="44" y="92" width="152" height="18" rx="6"/><rect x="58" y="110" width="12" height="82"/>'
        '<rect x="170" y="110" width="12" height="82"/>',
    ),
    "grocery": (_BAG, '<rect x="80" y="76" width="80" height="122" rx="16"/><rect x="86" y="48" width="68" height="22" rx="5"/>'),
}


def shape_of(product: CatalogueProduct) -> str:
    """The kind of drawing that fits a product."""
    return "shoes" if "› Shoes ›" in product.product_category else product.category


def picture(name: str, category: str) -> str:
    """An SVG of 240 by 240, the same for the same name; ``category`` is what :func:`shape_of` says."""
    hue = int(draw("hue", name) * 360)
    shapes = _SHAPES.get(category, (_BOX,))
    shape = shapes[int(draw("shape", name[3:]) * len(shapes))]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="240" height="240">'
        f'<rect width="240" height="240" fill="hsl({hue},18%,96%)"/><g fill="hsl({hue},45%,58%)">{shape}</g>'
        f'<ellipse cx="120" cy="216" rx="66" ry="7" fill="hsl({hue},12%,86%)"/></svg>'
    )
