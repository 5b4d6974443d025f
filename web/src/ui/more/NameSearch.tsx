import { t } from '@lingui/core/macro'
import type { FormEvent } from 'react'
import { Flex, IconButton, Input } from '../basics'
import { SearchIcon } from '../icons'
import { useResetState } from '../useResetState'

interface Props {
  name: string
  onSearch: (name: string) => void
  label: string
  placeholder: string
  maxLength: number
}

/** Searches on Enter or with its button. */
export function NameSearch({ name, onSearch, label, placeholder, maxLength }: Props) {
  const [draft, setDraft] = useResetState(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(draft.trim())
  }
  return (
    <Flex as="form" role="search" onSubmit={submit} gap="2" flexGrow="1" minW="min(16rem, 100%)" maxW="2xl">
      <Input
        type="search"
        bg="bg.panel"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <IconButton type="submit" aria-label={t`Search`}>
        <SearchIcon />
      </IconButton>
    </Flex>
  )
}
