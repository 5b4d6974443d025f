/** How many characters a text has without the blanks around it: code points, as the server counts them. */
export const lengthOf = (text: string): number => [...text.trim()].length

/** A text without the characters after the most allowed ones. */
export const cut = (text: string, most: number): string =>
  text.length > most ? [...text].slice(0, most).join('') : text
