import { Badge, Box, chakra, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { MapPicture } from '@/features/maps/MapPicture'
import type { Map as ParkourMap } from '@/shared/api'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { UploadIcon } from '@/shared/components/icons'
import { MedalIcon } from '@/shared/components/MedalIcon'
import { PageHeading } from '@/shared/components/PageHeading'
import { PlayerName } from '@/shared/components/PlayerName'
import { RaceTime } from '@/shared/components/RaceTime'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'
import { MEDALS } from '@/shared/lib/medals'

const Facts = chakra('dl')

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
        <Skeleton h="11" w="18rem" maxW="80vw" />
        <Skeleton mt="2" h="7" w="9rem" />
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
          <Flex as="ul" listStyleType="none" gap="1.5" wrap="wrap" aria-label="Tags">
            {map.tags.map((tag) => (
              <li key={tag}>
                <TextLink
                  to={`/map-search?tags=${encodeURIComponent(tag)}`}
                  _hover={{ textDecoration: 'none' }}
                >
                  <Badge variant="outline">{tag}</Badge>
                </TextLink>
              </li>
            ))}
          </Flex>
        )}
        <Facts display="grid" gridTemplateColumns="auto 1fr" columnGap="4" rowGap="1.5" textStyle="sm">
          <Fact label="Uploaded">{formatDate(map.createdAt)}</Fact>
          <Fact label="Game mode">{map.gameMode}</Fact>
          <Fact label="Game database id">{map.bonkDbId}</Fact>
          <Fact label="Map id">
            <chakra.code fontSize="xs">{map._id}</chakra.code>
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
        </Facts>
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
    <Flex
      as="ul"
      listStyleType="none"
      aria-label="Medal times"
      wrap="wrap"
      rounded="l2"
      bg="bg.muted"
      p="2"
      gap="1"
    >
      {given.map(({ medal, ms }) => (
        <Flex as="li" key={medal} align="center" gap="2" flex="1 1 45%" px="1" py="0.5">
          <MedalIcon medal={medal} size={5} />
          <RaceTime ms={ms} />
        </Flex>
      ))}
    </Flex>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <Text as="dt" color="fg.muted">
        {label}
      </Text>
      <Text as="dd" minW="0">
        {children}
      </Text>
    </>
  )
}

export function MapDetailsSkeleton() {
  return (
    <Stack {...panel} gap="0" aria-hidden="true">
      <Skeleton aspectRatio={3 / 2} rounded="0" />
      <Stack gap="4" p="4">
        <Skeleton h="20" />
        <Skeleton h="12" />
        <Skeleton h="24" />
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
