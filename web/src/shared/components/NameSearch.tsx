import { type FormEvent, type Ref, useEffect, useState } from 'react'
import { IconButton } from './Button'
import { SearchIcon } from './icons'
import styles from './NameSearch.module.css'

interface Props {
  name: string
  onSearch: (name: string) => void
  label: string
  placeholder: string
  maxLength: number
  inputRef?: Ref<HTMLInputElement>
}

// NameSearch runs a search on Enter or with its button.
export function NameSearch({ name, onSearch, label, placeholder, maxLength, inputRef }: Props) {
  const [draft, setDraft] = useState(name)
  useEffect(() => setDraft(name), [name])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(draft.trim())
  }
  return (
    <search className={styles.search}>
      <form onSubmit={submit} className={styles.form}>
        <input
          ref={inputRef}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          maxLength={maxLength}
          className={styles.box}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <IconButton type="submit" aria-label="Search">
          <SearchIcon />
        </IconButton>
      </form>
    </search>
  )
}
