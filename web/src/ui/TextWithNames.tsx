import { Name, Sentence } from './basics'

interface Props {
  text: string
  /** What is not translated: names of players and maps, and times. */
  names: readonly (string | null | undefined)[]
}

/** A text that was built as one, with an element for each of the names in it. */
export const TextWithNames = ({ text, names }: Props) => (
  <Sentence>
    {splitAtNames(text, names).map((part, i) =>
      // The names are the parts with an odd index.
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
      i % 2 ? <Name key={i}>{part}</Name> : part,
    )}
  </Sentence>
)

function splitAtNames(text: string, names: Props['names']): string[] {
  // A name may begin with another one.
  const longestFirst = names.filter((name): name is string => !!name).sort((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return [text]
  const choice = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${choice})(?![\\p{L}\\p{N}])`, 'u'))
}
