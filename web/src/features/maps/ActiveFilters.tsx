import { useRef } from 'react'
import { Button } from '@/shared/components/Button'
import { CloseIcon } from '@/shared/components/icons'
import styles from './ActiveFilters.module.css'
import type { SearchSettings } from './searchSettings'

interface Props {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
  // Called when the last one has been taken away, and the focus with it.
  onEmptied: () => void
}

// ActiveFilters shows each filter as a chip that can be taken away. The focus goes on to the chip beside it.
export function ActiveFilters({ settings, onChange, onEmptied }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { name, author, gameMode, tags } = settings
  const chips: { text: string; without: Partial<SearchSettings> }[] = [
    ...(name ? [{ text: `Name: ${name}`, without: { name: '' } }] : []),
    ...(gameMode ? [{ text: `Mode: ${gameMode}`, without: { gameMode: '' as const } }] : []),
    ...(author ? [{ text: `Author: ${author}`, without: { author: '' } }] : []),
    ...tags.map((tag) => ({ text: `#${tag}`, without: { tags: tags.filter((other) => other !== tag) } })),
  ]
  if (chips.length === 0) return null

  const remove = (at: number) => {
    const buttons = list.current?.querySelectorAll('button') ?? []
    const beside = buttons[at + 1] ?? buttons[at - 1]
    if (beside) beside.focus()
    else onEmptied()
    onChange(chips[at]?.without ?? {})
  }
  return (
    <ul ref={list} className={styles.chips} aria-label="Active filters">
      {chips.map(({ text }, at) => (
        <Chip key={text} text={text} onRemove={() => remove(at)} />
      ))}
    </ul>
  )
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <li>
      <Button
        size="xs"
        look="subtle"
        shape="round"
        className={styles.chip}
        aria-label={`Remove filter ${text}`}
        onClick={onRemove}
      >
        <span className={styles.words}>{text}</span>
        <CloseIcon />
      </Button>
    </li>
  )
}
