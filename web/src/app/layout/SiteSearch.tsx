import { t } from '@lingui/core/macro'
import { type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '@/routes/paths'
import { Box, Input } from '@/ui'
import { SearchIcon } from '@/ui/icons'
import { useKeys } from '@/ui/keys'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { useResetState } from '@/ui/useResetState'

// Without its code Enter still searches maps.
const SearchOptions = lazyPart(() => import('./SearchOptions'))

/**
 * One search field for maps and players, which suggests some while one types. Enter opens the chosen option, or searches
 * maps, and the slash key focuses the field.
 */
export function SiteSearch() {
  const navigate = useNavigate()
  const { key } = useLocation()
  // A navigation closes the field's list.
  const [text, setText] = useResetState('', key)
  const [open, setOpen] = useResetState(false, key)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const name = text.trim()
  const [chosen, setChosen] = useResetState<string | null>(null, `${open} ${name}`)
  useKeys({
    '/': () => input.current?.focus(),
  })

  const option = () => (chosen ? document.getElementById(chosen) : null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const link = option()
    if (link) link.click()
    else if (name) navigate(paths.mapsNamed(name))
  }
  const move = (step: 1 | -1) => {
    setOpen(true)
    const options = Array.from(list.current?.querySelectorAll('[role=option]') ?? [])
    const at = options.findIndex((each) => each.id === chosen)
    const next = options[at < 0 && step < 0 ? options.length - 1 : at + step]
    next?.scrollIntoView({ block: 'nearest' })
    setChosen(next?.id ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open && name) setOpen(false)
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else return
    event.preventDefault()
  }
  const expanded = open && name !== ''
  return (
    <Box
      as="form"
      role="search"
      aria-label={t`Site`}
      position="relative"
      display="block"
      maxW="xs"
      onSubmit={submit}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <Box position="absolute" zIndex="1" insetStart="2.5" top="2.5" color="fg.muted" pointerEvents="none">
        <SearchIcon size={4} />
      </Box>
      <Input
        ref={input}
        type="search"
        role="combobox"
        autoComplete="off"
        size="sm"
        ps="8"
        bg="bg"
        textOverflow="ellipsis"
        aria-label={t`Search maps and players`}
        aria-expanded={expanded}
        aria-controls={expanded ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={chosen ?? undefined}
        aria-keyshortcuts="/"
        placeholder={t`Search maps and players`}
        maxLength={64}
        value={text}
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          setText(event.target.value)
          setOpen(true)
        }}
      />
      {expanded && (
        <div ref={list} id={id} role="listbox" aria-label={t`Search maps and players`}>
          <LazyParts>
            <SearchOptions name={name} id={id} chosen={chosen} />
          </LazyParts>
        </div>
      )}
    </Box>
  )
}
