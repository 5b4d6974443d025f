import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense } from 'react'
import { type ParkourMap, type RecordDetails, useGetMapQuery } from '@/api'
import { MapPicture } from '@/entities/map/MapPicture'
import { PlayerName } from '@/entities/player/PlayerName'
import { MedalIcon, medalName } from '@/entities/record/Medal'
import { missingText, nextMedal } from '@/entities/record/medalTimes'
import { formatDifference, formatTime } from '@/entities/record/raceTime'
import { replayAddress } from '@/entities/record/replayAddress'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Badge, Box, Button, DataList, type Elements, Flex, Grid, HStack, Name, Panel, Sky, Stack, Text } from '@/ui'
import { DateTime, formatNumber } from '@/ui/format'
import { PageHeading } from '@/ui/headings'
import { DownloadIcon, UsersIcon } from '@/ui/icons'
import { lazyPart } from '@/ui/lazyPart'
import { ButtonLink, PageLink } from '@/ui/links'
import { ShareButton } from '@/ui/ShareButton'

// Without its code its place stays empty.
const Course = lazyPart(() => import('@/entities/progress/Course'))

interface Props {
  record: RecordDetails
  /** Says that the record is being looked at. */
  notice?: Elements
  /** Further buttons. */
  children?: Elements
}

/** A record with its time, its map and what it is compared with. */
export function RecordView({ record, notice, children }: Props) {
  const { player, map, finishTime, medal } = record
  const user = useSession()
  const parkourMap = useGetMapQuery({ id: map._id }).currentData?.data
  return (
    <Panel as="section" aria-label={t`Record`} overflow="hidden">
      <Grid gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 26rem' }} gap="0">
        <Stack gap="5" p={{ base: '5', md: '8' }}>
          <PageHeading>
            <Trans>
              <Name>{player.name}</Name> on <Name>{map.name}</Name>
            </Trans>
          </PageHeading>
          {notice}
          <Box>
            <HStack gap="3">
              <Text
                fontFamily="heading"
                fontWeight="bold"
                lineHeight="1"
                fontSize={{ base: '5xl', md: '6xl' }}
                color={record.worldRecord?._id === record._id ? 'first.fg' : undefined}
              >
                {formatTime(finishTime)}
              </Text>
              {medal && <MedalIcon medal={medal} size={12} />}
            </HStack>
            <Text mt="2" color="fg.muted" minH="6">
              {parkourMap && medalText(record, parkourMap)}
            </Text>
          </Box>
          <Sky overflow="hidden" rounded="l2" pt="3" minH="10rem">
            {parkourMap && (
              <Suspense>
                <Course
                  scale="medium"
                  medals={parkourMap.medalTimes}
                  worldRecord={record.worldRecord?.finishTime ?? null}
                  ball={{ ms: finishTime, player, isRecord: true }}
                />
              </Suspense>
            )}
          </Sky>
          <Facts record={record} />
          <Flex wrap="wrap" gap="3">
            <ShareButton title={t`${formatTime(finishTime)} on ${map.name}`} path={paths.record(record._id)} />
            <Button asChild variant="outline">
              <a href={replayAddress(record._id)} download>
                <DownloadIcon /> <Trans>Download replay</Trans>
              </a>
            </Button>
            {user && user._id !== player._id && (
              <ButtonLink to={paths.compare(user._id, player._id)} variant="outline">
                <UsersIcon /> <Trans>Compare with me</Trans>
              </ButtonLink>
            )}
            {children}
          </Flex>
        </Stack>
        {/* The picture is as high as what is beside it. */}
        <Box bg="bg.muted" borderStartWidth={{ lg: '1px' }} css={{ lg: { '& > div': { h: 'full' } } }}>
          <MapPicture src={parkourMap && (parkourMap.pictureUrl ?? parkourMap.imageUrl)} alt={t`The map ${map.name}`} />
        </Box>
      </Grid>
    </Panel>
  )
}

/** Returns the medal's name, and the time that is missing to the next better one. */
function medalText({ medal, finishTime }: RecordDetails, { medalTimes }: ParkourMap): string {
  const next = nextMedal(medal, medalTimes)
  const name = medal ? medalName(medal) : t`No medal`
  if (!next) return medal ? name : t`The map has no medal times`
  const missing = missingText(formatTime(finishTime - next.ms), next.medal)
  return t`${name}, ${missing}`
}

function Facts({ record }: { record: RecordDetails }) {
  const { map, finishTime, nextAbove, worldRecord, previousBest, previousWorldRecord, rankAtSubmission } = record
  const notBest = t`Not the personal best`
  const none = t`None`
  return (
    <DataList.Root display="grid" gridTemplateColumns={{ base: '1fr 1fr', sm: 'repeat(3, 1fr)' }} gap="4">
      <Fact label={t`Player`}>
        <PlayerName player={record.player} />
      </Fact>
      <Fact label={t`Map`}>
        <PageLink to={paths.leaderboard(map._id)}>
          <Name>{map.name}</Name>
        </PageLink>
        {!record.newestVersion && (
          <Badge>
            <Trans>Version {record.mapVersion}</Trans>
          </Badge>
        )}
      </Fact>
      <Fact label={t`Date`}>
        <DateTime iso={record.finishTimeStamp} />
      </Fact>
      <Fact label={t`Rank now`}>{record.rank ? formatNumber(record.rank) : notBest}</Fact>
      <Fact label={t`Rank when set`}>{rankAtSubmission === null ? notBest : formatNumber(rankAtSubmission)}</Fact>
      <Fact label={t`Next above`}>
        {nextAbove ? (
          <PageLink to={paths.record(nextAbove._id)}>
            <Trans>
              {formatDifference(nextAbove.gap)} behind <Name>{nextAbove.player.name}</Name>
            </Trans>
          </PageLink>
        ) : record.rank ? (
          none
        ) : (
          notBest
        )}
      </Fact>
      <Fact label={t`World record`}>
        {worldRecord?._id === record._id ? (
          <Badge variant="outline" color="first.fg">
            <Trans>This record</Trans>
          </Badge>
        ) : worldRecord ? (
          <PageLink to={paths.record(worldRecord._id)}>
            {record.equalsWorldRecord ? (
              <Trans>
                Equals that of <Name>{worldRecord.player.name}</Name>
              </Trans>
            ) : (
              <Trans>
                {formatDifference(finishTime - worldRecord.finishTime)} behind <Name>{worldRecord.player.name}</Name>
              </Trans>
            )}
          </PageLink>
        ) : (
          none
        )}
      </Fact>
      <Fact label={t`World record before`}>
        {previousWorldRecord === null ? none : formatDifference(finishTime - previousWorldRecord)}
      </Fact>
      <Fact label={t`Personal best before`}>
        {previousBest === null ? none : formatDifference(finishTime - previousBest)}
      </Fact>
      <Fact label={t`Submitted`}>
        <DateTime iso={record.createdAt} />
      </Fact>
    </DataList.Root>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item flexDirection="column" gap="1" minW="0">
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue flex="none" alignItems="center" gap="2" flexWrap="wrap" fontVariantNumeric="tabular-nums">
        {children}
      </DataList.ItemValue>
    </DataList.Item>
  )
}
