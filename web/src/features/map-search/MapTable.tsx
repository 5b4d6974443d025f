import { msg, t } from '@lingui/core/macro'
import type { ParkourMap } from '@/api'
import { ModeBadge } from '@/entities/map/ModeBadge'
import { MapLink } from '@/entities/map/more/MapLink'
import { PlayerName } from '@/entities/player/PlayerName'
import { idsOf, OwnProgress } from '@/entities/progress/OwnProgress'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Badge, Box, type Column, DataTable, HStack, Name, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { PAGE_SIZE } from './queries'

const VISIBLE_TAGS = 2

/** The name, with the author and the mode where those have no columns. */
const name: Column<ParkourMap> = {
  header: msg`Map`,
  width: '75%',
  cell: (map) => (
    <Box minW={{ base: '7.5rem', sm: '9rem' }}>
      <MapLink map={map} fontWeight="semibold" />
      <Box hideFrom="md" textStyle="xs" color="fg.muted">
        <Name>{map.author.name}</Name> <span>{`· ${map.gameMode}`}</span>
      </Box>
    </Box>
  ),
}

/** The other columns. A player who is logged in has one more, for which the tags give way. */
const othersOf = (hideTagsBelow: 'md' | 'xl'): Column<ParkourMap>[] => [
  {
    header: msg`Author`,
    width: '75%',
    hideBelow: 'md',
    cell: ({ author }) => (
      <Box minW="8rem">
        <PlayerName player={author} size={6} />
      </Box>
    ),
  },
  {
    header: msg`Mode`,
    width: '5rem',
    hideBelow: 'md',
    cell: ({ gameMode }) => <ModeBadge mode={gameMode} />,
  },
  { header: msg`Tags`, width: '75%', hideBelow: hideTagsBelow, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    header: msg`Created`,
    width: '5rem',
    hideBelow: 'md',
    muted: true,
    cell: ({ createdAt }) => <DateTime iso={createdAt} />,
  },
]

/** The column of a player who is logged in. */
const progressOn = (maps: ParkourMap[]): Column<ParkourMap> => {
  const ids = idsOf(maps)
  return {
    header: msg`Your best`,
    width: '8rem',
    cell: (map) => (
      <Box minW={{ base: '7.5rem', sm: '9rem' }}>
        <OwnProgress map={map} maps={ids} />
      </Box>
    ),
  }
}

/**
 * The list view; maps are undefined while they load. A click on a row opens the leaderboard; for keyboards and screen
 * readers the name is a link.
 */
export default function MapTable({ maps }: { maps: ParkourMap[] | undefined }) {
  const user = useSession()
  return (
    <DataTable
      label={t`Maps`}
      columns={user ? [name, progressOn(maps ?? []), ...othersOf('xl')] : [name, ...othersOf('md')]}
      rows={maps}
      idOf={({ _id }) => _id}
      skeletonRows={PAGE_SIZE}
      {...(user && { rowHeight: '3.75rem' })}
      to={({ _id }) => paths.leaderboard(_id)}
    />
  )
}

function Tags({ tags }: { tags: string[] }) {
  const hidden = tags.slice(VISIBLE_TAGS)
  return (
    <HStack gap="1">
      {tags.slice(0, VISIBLE_TAGS).map((tag) => (
        <Badge key={tag} variant="outline">
          <Name>{tag}</Name>
        </Badge>
      ))}
      {hidden.length > 0 && (
        <Text as="span" textStyle="xs" color="fg.muted" whiteSpace="nowrap" title={hidden.join(', ')}>
          {`+${hidden.length}`}
        </Text>
      )}
    </HStack>
  )
}
