import { i18n, type Messages } from '@lingui/core'
import { messages } from '@/locales/en.po'
import { textsOfPage } from './textsOfPage'

// ACCENT marks each letter of a sentence that comes from the catalogue.
const ACCENT = '\u0301'

// pseudoMessages are the sentences with an accent on each letter.
const accented = (text: string) => text.replace(/\p{L}/gu, `$&${ACCENT}`)
const pseudoMessages = Object.fromEntries(
  Object.entries(messages).map(([id, message]) => [id, changeTexts(message, accented)]),
) as Messages

/** Shows the site in a locale in which each letter of each sentence has an accent. */
export function activatePseudoLocale(): void {
  i18n.loadAndActivate({ locale: 'pseudo', locales: 'en-GB', messages: pseudoMessages })
}

// changeTexts changes the texts of a compiled message: a list of texts and of placeholders, whose choices are messages.
function changeTexts(message: unknown, change: (text: string) => string): unknown {
  if (typeof message === 'string') return change(message)
  if (!Array.isArray(message)) return message
  return message.map((part) => {
    if (!Array.isArray(part)) return changeTexts(part, change)
    const [name, format, choices] = part
    if (typeof choices !== 'object' || choices === null) return part
    const changed = Object.entries(choices).map(([rule, text]) => [rule, changeTexts(text, change)])
    return [name, format, Object.fromEntries(changed)]
  })
}

const DATES = /(\d{1,2} \p{L}+|Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept|Oct|Nov|Dec) \d{4}( at \d\d:\d\d)?/gu

// plainTexts returns the texts of the page that have letters without an accent: they are not in the catalogue. Names and
// other data of the page are no such texts.
export function plainTexts(data: readonly string[]): string[] {
  const longestFirst = [...data].sort((a, b) => b.length - a.length)
  return textsOfPage().filter((text) => {
    // The initial of an avatar.
    if (text.length === 1) return false
    const rest = longestFirst.reduce((left, name) => left.replaceAll(name, ''), text.replace(DATES, ''))
    return new RegExp(`\\p{L}(?!${ACCENT})`, 'u').test(rest.replaceAll(new RegExp(`\\p{L}${ACCENT}`, 'gu'), ''))
  })
}
