import { compileMessage } from '@lingui/message-utils/compileMessage'

/** Returns what is wrong with the translation of a sentence: nothing translated, what is lost or added, plural forms. */
export function faultsOf(locale, source, translation) {
  if (!translation) return ['has no translation']
  const wanted = partsOf(source)
  const found = partsOf(translation)
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.filter((form) => isUsed(locale, form))
  return [
    ...[...wanted.names].filter((name) => !found.names.has(name)).map((name) => `has lost ${name}`),
    ...[...found.names]
      .filter((name) => !wanted.names.has(name))
      .map((name) => `has ${name}, which the English has not`),
    ...found.plurals.flatMap((given) =>
      forms.filter((form) => !given.includes(form)).map((form) => `lacks the plural form ${form}`),
    ),
  ]
}

// Spanish has the form "many" for millions alone.
const isUsed = (locale, form) => locale !== 'es' || form !== 'many'

// partsOf returns the placeholders and tags of a sentence, and the forms of each of its plurals.
function partsOf(text) {
  const names = new Set(text.match(/<\/?\d+\/?>/g))
  const plurals = []
  const walk = (part) => {
    if (!Array.isArray(part)) return
    for (const child of part) {
      if (!Array.isArray(child)) continue
      const [name, kind, choices] = child
      names.add(`{${name}}`)
      if (typeof choices !== 'object' || choices === null) continue
      if (kind === 'plural') plurals.push(Object.keys(choices).filter((form) => form !== 'offset'))
      Object.values(choices).forEach(walk)
    }
  }
  walk(compileMessage(text))
  return { names, plurals }
}
