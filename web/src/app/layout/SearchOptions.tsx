import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useSearchMapsQuery, useSearchPlayersQuery } from '@/api'
import { MapPicture } from '@/entities/map/MapPicture'
import { Avatar } from '@/entities/player/Avatar'
import { paths } from '@/routes/paths'
import { Box, Name, Stack, styled } from '@/ui'
import { MapIcon, UsersIcon } from '@/ui/icons'

const SUGGESTIONS = 3
const ASK_AFTER_MS = 250

const Option = styled(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    minH: '11',
    px: '2',
    rounded: 'l2',
    textStyle: 'sm',
    '&:is(:hover, [aria-selected=true])': { bg: 'bg.muted' },
    '&[aria-selected=true]': { outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '-2px' },
  },
})

interface Props {
  name: string
  /** Of the list; those of its options begin with it. */
  id: string
  /** The id of the option that Enter opens. */
  chosen: string | null
}

/** The options of the site's search: maps and players with the name, and the searches for all of them. */
export default function SearchOptions({ name, id, chosen }: Props) {
  const sought = useSettled(name)
  const page = { name: sought, page: 1, limit: SUGGESTIONS }
  const maps = useSearchMapsQuery(page, { skip: !sought }).data?.data ?? []
  const players = useSearchPlayersQuery(page, { skip: !sought }).data?.data ?? []
  const option = (key: string, to: string, content: ReactNode) => (
    <Option key={key} to={to} role="option" id={id + key} aria-selected={id + key === chosen} tabIndex={-1}>
      {content}
    </Option>
  )
  return (
    <Stack
      gap="0"
      position="absolute"
      zIndex="dropdown"
      top="full"
      insetStart="0"
      w="full"
      minW={{ md: 'xs' }}
      mt="1"
      p="1.5"
      borderWidth="1px"
      rounded="l2"
      bg="bg.panel"
      shadow="lg"
    >
      {maps.map((map) =>
        option(
          map._id,
          paths.leaderboard(map._id),
          <>
            <Box w="3.375rem" flexShrink="0" rounded="l1" overflow="hidden">
              <MapPicture src={map.thumbnailUrl} />
            </Box>
            <Label name={map.name} hint={map.author.name} />
          </>,
        ),
      )}
      {option(
        'maps',
        paths.mapsNamed(name),
        <>
          <MapIcon size={4} />
          <styled.span minW="0">{t`Maps named “${name}”`}</styled.span>
        </>,
      )}
      {players.map((player) =>
        option(
          player._id,
          paths.player(player._id),
          <>
            <Avatar player={player} size={7} />
            <Label name={player.name} />
          </>,
        ),
      )}
      {option(
        'players',
        paths.playersNamed(name),
        <>
          <UsersIcon size={4} />
          <styled.span minW="0">{t`Players named “${name}”`}</styled.span>
        </>,
      )}
    </Stack>
  )
}

function Label({ name, hint }: { name: string; hint?: string }) {
  return (
    <Box minW="0">
      <Box fontWeight="semibold">
        <Name>{name}</Name>
      </Box>
      {hint && (
        <Box textStyle="xs" color="fg.muted">
          <Name>{hint}</Name>
        </Box>
      )}
    </Box>
  )
}

/** Returns the text as it was when it last stayed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ASK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
