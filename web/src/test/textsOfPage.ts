/**
 * Returns the texts of the page that are seen or read aloud, its title and description first, without lines of code. It
 * refers to nothing outside, so that a browser can run it.
 */
export function textsOfPage(): string[] {
  const attributes = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label']
  const description = document.querySelector('meta[name=description]')?.getAttribute('content') ?? ''
  const texts = [document.title, description]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('script, style, noscript, pre')) continue
    if (!(node instanceof Element)) texts.push(node.textContent ?? '')
    else texts.push(...attributes.map((name) => node.getAttribute(name) ?? ''))
  }
  return texts.filter((text) => text.trim() !== '')
}
