import { Box, Flex, Stack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { MapPicture } from '@/features/maps/MapPicture'
import type { Map as ParkourMap } from '@/shared/api'
import { Badge } from '@/shared/components/Badge'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { UploadIcon } from '@/shared/components/icons'
import { MedalIcon } from '@/shared/components/MedalIcon'
import { PageHeading } from '@/shared/components/PageHeading'
import { PlayerName } from '@/shared/components/PlayerName'
import { RaceTime } from '@/shared/components/RaceTime'
import { Skeleton } from '@/shared/components/Skeleton'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'
import { MEDALS } from '@/shared/lib/medals'
import styles from './MapDetails.module.css'

export function MapTitle({ map }: { map: ParkourMap }) {
  return (
    <Flex {...title}>
      <Box minW="0">
        <PageHeading>{map.name}</PageHeading>
        <Flex mt="2" gap="2" align="center" color="fg.muted">
          by <PlayerName player={map.author} />
        </Flex>
      </Box>
      <ButtonLink to={`/replay-submit/${map._id}`}>
        <UploadIcon /> Submit Record
      </ButtonLink>
    </Flex>
  )
}

export function MapTitleSkeleton() {
  return (
    <Flex {...title} aria-hidden="true">
      <Box>
        <Skeleton h="2.75rem" w="18rem" />
        <Box mt="2">
          <Skeleton h="1.75rem" w="9rem" />
        </Box>
      </Box>
    </Flex>
  )
}

const title = { justify: 'space-between', align: 'flex-end', gap: '4', wrap: 'wrap', mb: '6' } as const

export function MapDetails({ map }: { map: ParkourMap }) {
  return (
    <Stack {...panel} gap="0">
      <MapPicture src={map.imageUrl} alt={`The map ${map.name}`} eager />
      <Stack gap="4" p="4">
        <MedalTimes map={map} />
        {map.description && <Text whiteSpace="pre-line">{map.description}</Text>}
        {map.tags.length > 0 && (
          <ul className={styles.tags} aria-label="Tags">
            {map.tags.map((tag) => (
              <li key={tag}>
                <TextLink to={`/map-search?tags=${encodeURIComponent(tag)}`}>
                  <Badge look="outline">{tag}</Badge>
                </TextLink>
              </li>
            ))}
          </ul>
        )}
        <dl className={styles.facts}>
          <Fact label="Uploaded">{formatDate(map.createdAt)}</Fact>
          <Fact label="Game mode">{map.gameMode}</Fact>
          <Fact label="Game database id">{map.bonkDbId}</Fact>
          <Fact label="Map id">
            <code className={styles.id}>{map._id}</code>
          </Fact>
          {map.submittedBy && map.submittedBy._id !== map.author._id && (
            <Fact label="Submitted by">
              <TextLink to={`/player/${map.submittedBy._id}`}>{map.submittedBy.name}</TextLink>
            </Fact>
          )}
          {map.contributors?.length > 0 && <Fact label="Contributors">{map.contributors.join(', ')}</Fact>}
          {map.remixOf && (
            <Fact label="Remix of">
              {map.remixOf.name} by {map.remixOf.author}
            </Fact>
          )}
        </dl>
      </Stack>
    </Stack>
  )
}

function MedalTimes({ map }: { map: ParkourMap }) {
  const given = MEDALS.flatMap((medal) => {
    const ms = map.medalTimes[medal]
    return ms === null ? [] : [{ medal, ms }]
  })
  if (given.length === 0) {
    return (
      <Text textStyle="sm" color="fg.muted">
        The author has set no medal times.
      </Text>
    )
  }
  return (
    <ul className={styles.medals} aria-label="Medal times">
      {given.map(({ medal, ms }) => (
        <li key={medal} className={styles.medal}>
          <MedalIcon medal={medal} size={5} />
          <RaceTime ms={ms} />
        </li>
      ))}
    </ul>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </>
  )
}

export function MapDetailsSkeleton() {
  return (
    <Stack {...panel} gap="0" aria-hidden="true">
      <Skeleton shape="picture" />
      <Stack gap="4" p="4">
        <Skeleton h="5rem" />
        <Skeleton h="3rem" />
        <Skeleton h="6rem" />
      </Stack>
    </Stack>
  )
}

const panel = {
  bg: 'bg.panel',
  borderWidth: '1px',
  rounded: 'l3',
  shadow: 'card',
  overflow: 'hidden',
} as const
