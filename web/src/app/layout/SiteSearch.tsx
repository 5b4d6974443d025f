import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { paths } from '@/routes/paths'
import { Box, Input, Stack, styled } from '@/ui'
import { MapIcon, SearchIcon, UsersIcon } from '@/ui/icons'
import { useKeys } from '@/ui/keys'
import { useResetState } from '@/ui/useResetState'
import { moveFocus } from './moveFocus'

const Target = styled(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    minH: '10',
    px: '3',
    rounded: 'l2',
    textStyle: 'sm',
    _hover: { bg: 'bg.muted' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '-2px' },
  },
})

/** One search field for maps and players. Enter searches maps, and the slash key focuses the field. */
export function SiteSearch() {
  const navigate = useNavigate()
  const { key } = useLocation()
  // A navigation closes the field's menu.
  const [text, setText] = useResetState('', key)
  const [open, setOpen] = useResetState(false, key)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useKeys({
    '/': () => {
      input.current?.focus()
      // On narrow windows the field is hidden.
      return document.activeElement === input.current
    },
  })

  const name = text.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name) navigate(paths.mapsNamed(name))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open && name) {
      input.current?.focus()
      // After the focus, which opens it.
      setOpen(false)
    } else if (event.key === 'ArrowDown') moveFocus(event.currentTarget, 1)
    else if (event.key === 'ArrowUp') moveFocus(event.currentTarget, -1)
    else return
    event.preventDefault()
  }
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
        size="sm"
        ps="8"
        bg="bg"
        textOverflow="ellipsis"
        aria-label={t`Search maps and players`}
        aria-controls={open && name ? id : undefined}
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
      {open && name && (
        <Stack
          id={id}
          gap="0"
          position="absolute"
          zIndex="dropdown"
          top="full"
          insetStart="0"
          minW="full"
          w="max-content"
          maxW="xs"
          mt="1"
          p="1.5"
          borderWidth="1px"
          rounded="l2"
          bg="bg.panel"
          shadow="lg"
        >
          <Target to={paths.mapsNamed(name)}>
            <MapIcon size={4} />{' '}
            <styled.span truncate>
              <Trans>Maps named “{name}”</Trans>
            </styled.span>
          </Target>
          <Target to={paths.playersNamed(name)}>
            <UsersIcon size={4} />{' '}
            <styled.span truncate>
              <Trans>Players named “{name}”</Trans>
            </styled.span>
          </Target>
        </Stack>
      )}
    </Box>
  )
}
