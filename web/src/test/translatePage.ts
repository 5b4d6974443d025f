/**
 * Replaces each text of the page as the translators of browsers do, and again after each change until the function that
 * it returns is called. It refers to nothing outside, so that a browser can run it.
 */
export function translatePage(): () => void {
  const left = '[translate=no], head, font, script, style, textarea, svg'
  const translate = (root: Node) => {
    const texts: Text[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest(left)) continue
      const outer = document.createElement('font')
      const inner = outer.appendChild(document.createElement('font'))
      inner.textContent = text.data
      text.replaceWith(outer)
    }
  }
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) if (target.isConnected) translate(target.parentNode ?? target)
  })
  translate(document)
  observer.observe(document, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}
