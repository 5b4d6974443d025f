import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense } from 'react'
import type { ParkourMap } from '@/api'
import { FollowMap } from '@/entities/follow/Follow'
import { MapPicture } from '@/entities/map/MapPicture'
import { PlayerName } from '@/entities/player/PlayerName'
import { MEDALS, MedalIcon } from '@/entities/record/Medal'
import { Time } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Badge, Box, Code, DataList, type Elements, Flex, Grid, HStack, Name, Panel, Stack, Text } from '@/ui'
import { CopyButton } from '@/ui/CopyButton'
import { DateTime, formatNumber } from '@/ui/format'
import { PageHeading } from '@/ui/headings'
import { UploadIcon } from '@/ui/icons'
import { lazyPart } from '@/ui/lazyPart'
import { ButtonLink, PageLink } from '@/ui/links'
import { MapDrawing } from './viewer/MapDrawing'

// Few maps are unranked. Without its code nothing is shown.
const UnrankedNotice = lazyPart(() => import('./UnrankedNotice'))

// Its button appears a moment after the text beside it.
const CopyMapCode = lazyPart(() => import('./CopyMapCode'))

/** The name of a map with its author and buttons. */
export function MapTitle({ map, children }: { map: ParkourMap; children?: Elements }) {
  return (
    <Flex wrap="wrap" align="flex-end" justify="space-between" gap="4">
      <Box minW="0">
        <PageHeading>
          <Name>{map.name}</Name>
        </PageHeading>
        <HStack mt="2" gap="2" color="fg.muted" css={{ '& > span': { display: 'contents' } }}>
          <Trans>
            by <PlayerName player={map.author} />
          </Trans>
        </HStack>
        {map.unranked && (
          <Suspense>
            <UnrankedNotice reason={map.unrankedReason} />
          </Suspense>
        )}
      </Box>
      <HStack gap="3" flexWrap="wrap">
        <FollowMap map={map} />
        <ButtonLink to={paths.recordSubmitFor(map._id)}>
          <UploadIcon /> <Trans>Submit Record</Trans>
        </ButtonLink>
        {children}
      </HStack>
    </Flex>
  )
}

export function MapDetails({ map }: { map: ParkourMap }) {
  // Without an uploaded picture, the server's is the drawn one.
  const isUploaded = map.imageUrl !== map.pictureUrl
  return (
    <Panel overflow="hidden">
      <Stack gap="1px" bg="border">
        {isUploaded && (
          <MapPicture
            src={map.imageUrl}
            small={{ src: map.thumbnailUrl, sizes: '(min-width: 64em) 22rem, 100vw' }}
            alt={t`The map ${map.name}`}
            eager
          />
        )}
        <MapDrawing map={map} eager={!isUploaded} />
      </Stack>
      <Stack gap="4" p="4">
        <MedalTimes map={map} />
        {map.description && <Text whiteSpace="pre-line">{map.description}</Text>}
        {map.tags.length > 0 && (
          <Flex as="ul" wrap="wrap" gap="1.5" aria-label={t`Tags`}>
            {map.tags.map((tag) => (
              <li key={tag}>
                <PageLink to={paths.mapsTagged(tag)}>
                  <Badge variant="outline" colorPalette="gray">
                    <Name>{tag}</Name>
                  </Badge>
                </PageLink>
              </li>
            ))}
          </Flex>
        )}
        <Facts map={map} />
      </Stack>
    </Panel>
  )
}

function Facts({ map }: { map: ParkourMap }) {
  return (
    <DataList.Root orientation="horizontal" gap="2">
      <Fact label={t`Uploaded`}>
        <DateTime iso={map.createdAt} />
      </Fact>
      <Fact label={t`Game mode`}>{map.gameMode}</Fact>
      <Fact label={t`Records`}>{formatNumber(map.recordCount)}</Fact>
      <Fact label={t`Game database id`}>
        <span>{map.bonkDbId}</span>
        <CopyButton label={t`Copy the game database id`} text={String(map.bonkDbId)} />
      </Fact>
      <Fact label={t`Map code`}>
        <Trans>For the game's editor</Trans>
        <Suspense>
          <CopyMapCode mapId={map._id} />
        </Suspense>
      </Fact>
      <Fact label={t`Map id`}>
        <Code size="xs" variant="plain" px="0" wordBreak="break-all">
          {map._id}
        </Code>
        <CopyButton label={t`Copy the map id`} text={map._id} />
      </Fact>
      {map.submittedBy._id !== map.author._id && (
        <Fact label={t`Submitted by`}>
          <PageLink to={paths.player(map.submittedBy._id)}>
            <Name>{map.submittedBy.name}</Name>
          </PageLink>
        </Fact>
      )}
      {map.contributors.length > 0 && (
        <Fact label={t`Contributors`}>
          <HStack flexWrap="wrap" gap="2">
            {map.contributors.map((name) => (
              <PageLink key={name} to={paths.playersNamed(name)}>
                <Name>{name}</Name>
              </PageLink>
            ))}
          </HStack>
        </Fact>
      )}
      {map.remixOf && (
        <Fact label={t`Remix of`}>
          <Trans>
            <Name>{map.remixOf.name}</Name> by <Name>{map.remixOf.author}</Name>
          </Trans>
        </Fact>
      )}
    </DataList.Root>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item alignItems="center" minH="6">
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue alignItems="center" gap="1">
        {children}
      </DataList.ItemValue>
    </DataList.Item>
  )
}

function MedalTimes({ map }: { map: ParkourMap }) {
  const medals = MEDALS.flatMap((medal) => {
    const ms = map.medalTimes[medal]
    return ms === null ? [] : [{ medal, ms }]
  })
  if (medals.length === 0) {
    return (
      <Text textStyle="sm" color="fg.muted">
        <Trans>The author has set no medal times.</Trans>
      </Text>
    )
  }
  return (
    <Grid as="ul" columns={2} gap="1" p="2" rounded="l2" bg="bg.muted" aria-label={t`Medal times`}>
      {medals.map(({ medal, ms }) => (
        <HStack as="li" key={medal} gap="2" px="1" py="0.5">
          <MedalIcon medal={medal} size={5} />
          <Time ms={ms} />
        </HStack>
      ))}
    </Grid>
  )
}
