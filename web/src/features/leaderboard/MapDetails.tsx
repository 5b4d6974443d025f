import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { MEDALS } from '@/entities/record/Medal'
import { paths } from '@/routes/paths'
import { Badge, Code, DataList, Flex, HStack, Name, Stack, styled, Text } from '@/ui'
import { Fact } from '@/ui/Facts'
import { DateTime, formatNumber } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { CopyButton } from '@/ui/more/CopyButton'
import { CopyMapCode } from './CopyMapCode'
import { DropTarget } from './DropTarget'
import { HowToPlay } from './HowToPlay'

/** What the author says of a map, and facts about it. */
export default function MapDetails({ map }: { map: ParkourMap }) {
  return (
    <Stack gap="4">
      {map.description && <Text whiteSpace="pre-line">{map.description}</Text>}
      {MEDALS.every((medal) => map.medalTimes[medal] === null) && (
        <Text textStyle="sm" color="fg.muted">{t`The author has set no medal times.`}</Text>
      )}
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
      <MapFacts map={map} />
      <HowToPlay map={map} />
      <DropTarget map={map} />
      <details>
        <Summary>{t`For tools`}</Summary>
        <ForTools map={map} />
      </details>
    </Stack>
  )
}

const Summary = styled('summary', {
  base: {
    w: 'fit-content',
    mb: '2',
    cursor: 'pointer',
    textStyle: 'sm',
    color: 'fg.muted',
    focusVisibleRing: 'outside',
  },
})

function MapFacts({ map }: { map: ParkourMap }) {
  const others = map.contributors.filter((name) => name !== map.author.name)
  return (
    <DataList.Root orientation="horizontal" gap="2">
      <Fact label={t`Uploaded`}>
        <DateTime iso={map.createdAt} />
      </Fact>
      <Fact label={t`Game mode`}>{map.gameMode}</Fact>
      <Fact label={t`Records`}>{formatNumber(map.recordCount)}</Fact>
      {map.submittedBy._id !== map.author._id && (
        <Fact label={t`Submitted by`}>
          <PageLink to={paths.player(map.submittedBy._id)}>
            <Name>{map.submittedBy.name}</Name>
          </PageLink>
        </Fact>
      )}
      {others.length > 0 && (
        <Fact label={t`Contributors`}>
          <HStack flexWrap="wrap" gap="2">
            {others.map((name) => (
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

/** The ids of a map, and the code that the game's editor takes. */
function ForTools({ map }: { map: ParkourMap }) {
  return (
    <DataList.Root orientation="horizontal" gap="2">
      <Fact label={t`Game database id`}>
        <span>{map.bonkDbId}</span>
        <CopyButton label={t`Copy the game database id`} text={String(map.bonkDbId)} />
      </Fact>
      <Fact label={t`Map code`}>
        <Trans>For the game's editor</Trans>
        <CopyMapCode mapId={map._id} />
      </Fact>
      <Fact label={t`Map id`}>
        <Code size="xs" variant="plain" px="0" wordBreak="break-all">
          {map._id}
        </Code>
        <CopyButton label={t`Copy the map id`} text={map._id} />
      </Fact>
    </DataList.Root>
  )
}
