"""What a reader sees of a page: measured in the browser."""

from typing import Any

from playwright.sync_api import Page

# Opens every fold of the page's content.
OPEN_ALL = "() => document.querySelectorAll('.md-content details').forEach((fold) => { fold.open = true; })"

# Elements that reach beyond the window's right edge, those aside that scroll inside something.
_OVERFLOW = """() => {
  const scrolls = (element) => {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(box).overflowX)) return true;
    }
    return false;
  };
  const width = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll(".md-container *")].filter((element) => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility() && box.width > 0 && box.right > width + 0.5 && !scrolls(element);
  });
  const names = wide.map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 40)}`);
  return [document.documentElement.scrollWidth - width, names];
}"""

# Text whose contrast with what is behind it is below a ratio, by the formula of WCAG 2.
_FAINT = """(least) => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const pixels = new Map();
  const pixel = (colour) => {
    if (!pixels.has(colour)) pixels.set(colour, painted(colour));
    return [...pixels.get(colour)];
  };
  const painted = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, i) => part * a + under[i] * (1 - a));
  // Many elements share their ancestors; each is asked once.
  const once = (of, root) => {
    const known = new Map([[null, root]]);
    return (element) => {
      if (!known.has(element)) known.set(element, of(element));
      return known.get(element);
    };
  };
  const behind = once(
    (element) => over(pixel(getComputedStyle(element).backgroundColor), behind(element.parentElement)),
    [255, 255, 255],
  );
  const opacity = once((element) => Number(getComputedStyle(element).opacity) * opacity(element.parentElement), 1);
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = new Map();
  let seen = 0;
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const box = element.getBoundingClientRect();
    if (!own.length || !element.checkVisibility({ visibilityProperty: true }) || box.width <= 1) continue;
    const style = getComputedStyle(element);
    // What shows up on focus or on hover only is not there yet.
    if (opacity(element) === 0) continue;
    const drawn = element instanceof SVGElement;
    const colour = pixel(drawn ? style.fill : style.color);
    colour[3] *= opacity(element) * (drawn ? Number(style.fillOpacity) : 1);
    const under = behind(element);
    const [light, dark] = [luminance(over(colour, under)), luminance(under)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    seen += 1;
    if (ratio < least) {
      const kind = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
      faint.set(kind, `${kind} ${ratio.toFixed(2)}: ${own[0].data.trim().slice(0, 40)}`);
    }
  }
  return [seen, [...faint.values()]];
}"""

# An element as its place among all elements of the page, what a test can tell it by, and the width of its focus ring.
_DESCRIBE = """(element) => {
  // The colours' switch is hidden; its label shows the ring.
  const ringed = getComputedStyle(element.matches(".md-option") ? element.nextElementSibling : element);
  return {
    place: [...document.querySelectorAll("*")].indexOf(element),
    name: `${element.tagName.toLowerCase()}.${element.className} ${element.textContent.trim().slice(0, 40)}`,
    ring: ringed.outlineStyle === "none" ? 0 : parseFloat(ringed.outlineWidth),
  };
}"""


def overflow(page: Page) -> tuple[float, list[str]]:
    """Return by how many px the page is wider than its window, and the elements that stick out."""
    beyond, elements = page.evaluate(_OVERFLOW)
    return beyond, elements


def faint_text(page: Page, least: float) -> tuple[int, list[str]]:
    """Return how many texts were measured, and those of a contrast below `least`."""
    seen, faint = page.evaluate(_FAINT, least)
    return seen, faint


def tab_to(page: Page, selector: str, most: int = 100) -> dict[str, Any]:
    """Press Tab until an element that matches a selector is focused, and describe it. Fails after `most` presses."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            found: dict[str, Any] = page.evaluate(f"() => ({_DESCRIBE})(document.activeElement)")
            return found
    raise AssertionError(f"{most} presses of Tab did not reach {selector}")


def tabbed_through(page: Page, until: str, most: int = 1000) -> list[dict[str, Any]]:
    """Press Tab until an element that matches `until` is focused; describe those before it, in their order."""
    page.evaluate(
        f"""() => {{
          globalThis.tabbed = [];
          document.addEventListener("focusin", (event) => tabbed.push([({_DESCRIBE})(event.target), event.target]));
        }}"""
    )
    for _ in range(most // 20):
        # Asking the page after every press takes longer than the presses.
        for _ in range(20):
            page.keyboard.press("Tab")
        reached: list[dict[str, Any]] = page.evaluate(
            """(until) => {
              const last = tabbed.findIndex(([, element]) => element.matches(until));
              return last < 0 ? [] : tabbed.slice(0, last).map(([found]) => found);
            }""",
            until,
        )
        if reached:
            return reached
    raise AssertionError(f"{most} presses of Tab did not reach {until}")
