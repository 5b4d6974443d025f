import { Flex, IconButton, Input } from '@chakra-ui/react'
import { type FormEvent, type Ref, useEffect, useState } from 'react'
import { SearchIcon } from './icons'

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
    <Flex as="form" role="search" onSubmit={submit} gap="2" flex="1 1 16rem">
      <Input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        bg="bg.panel"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <IconButton type="submit" aria-label="Search">
        <SearchIcon />
      </IconButton>
    </Flex>
  )
}
