/** Returns the texts in an element that a browser does not translate. */
export const untranslated = (element: Element): (string | null)[] =>
  Array.from(element.querySelectorAll('[translate=no]'), ({ textContent }) => textContent)
