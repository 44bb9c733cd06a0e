/**
 * Every visible text of the page whose contrast with what lies behind it is below `least`, as
 * WCAG 2 counts it. Runs in the page. Text of disabled controls is exempt there and here.
 */
export function findFaintText(least) {
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (front, back) => {
    const mix = (channel) => front[channel] * front.a + back[channel] * (1 - front.a);
    return { r: mix('r'), g: mix('g'), b: mix('b'), a: 1 };
  };
  const backdrop = (element) => {
    if (!element) return { r: 255, g: 255, b: 255, a: 1 };
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.a === 1 ? own : over(own, backdrop(element.parentElement));
  };
  const luminance = ({ r, g, b }) => {
    const [red, green, blue] = [r, g, b].map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (element, part) => {
    const back = backdrop(element);
    const front = over(parse(getComputedStyle(element, part).color), back);
    const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(':disabled, .unseen');

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  let seen = 0;
  const measure = (element, text, part) => {
    seen += 1;
    const ratio = contrast(element, part);
    if (ratio < least) found.push(`${ratio.toFixed(2)}: ${text}`);
  };
  while (texts.nextNode()) {
    const { parentElement, data } = texts.currentNode;
    if (data.trim() && isShown(parentElement)) measure(parentElement, data.trim());
  }
  for (const field of document.querySelectorAll('textarea, input')) {
    if (isShown(field)) measure(field, field.placeholder, '::placeholder');
  }
  return { seen, found };
}
