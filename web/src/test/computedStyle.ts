// What tests ask of a computed style, which is whether an element is visible and whether it is a block. jsdom matches each
// rule of its style sheet with each element, for every question; that was a quarter of the time of the tests.
const original = window.getComputedStyle

const displays = new Map<string, string>()

// displayOf returns what jsdom's style sheet says of an element, which depends on its name and these attributes.
function displayOf(element: Element): string {
  const key = [element.localName, ...['hidden', 'open', 'type'].map((name) => element.getAttribute(name))].join()
  let display = displays.get(key)
  if (display === undefined) {
    display = original(element.cloneNode() as Element).display
    displays.set(key, display)
  }
  return display
}

function visibilityOf(element: Element | null): string {
  const { visibility } = styleOf(element)
  return visibility || (element?.parentElement ? visibilityOf(element.parentElement) : 'visible')
}

const styleOf = (element: Element | null) => (element as HTMLElement).style

window.getComputedStyle = (element) => {
  const style = styleOf(element)
  const computed: Record<string, string> = {
    display: style.display || displayOf(element),
    visibility: visibilityOf(element),
    opacity: style.opacity || '1',
  }
  const getPropertyValue = (name: string) => computed[name] ?? style.getPropertyValue(name)
  return new Proxy(style, {
    get: (_, name) =>
      name === 'getPropertyValue' ? getPropertyValue : (computed[String(name)] ?? Reflect.get(style, name)),
  })
}
