import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ParkourMap, type RecordDetails, useGetMapQuery } from '@/api'
import { MapPicture } from '@/entities/map/MapPicture'
import { MedalIcon, medalName } from '@/entities/record/Medal'
import { missingText, nextMedal } from '@/entities/record/more/medalTimes'
import { formatTime } from '@/entities/record/raceTime'
import { replayAddress } from '@/entities/record/replayAddress'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Button, type Elements, HStack, Name, Text } from '@/ui'
import { isolated } from '@/ui/format'
import { PageHeading } from '@/ui/headings'
import { DownloadIcon, UsersIcon } from '@/ui/icons'
import { BackLink, ButtonLink } from '@/ui/links'
import { ShareButton } from '@/ui/more/ShareButton'
import { Stage } from '@/ui/stage'

interface Props {
  /** Undefined while it loads and where there is none; the head keeps its height. */
  record: RecordDetails | undefined
  /** Says that the record is being looked at. */
  notice?: Elements
  /** Further buttons. */
  children?: Elements
}

/** The head of a record's page: who has run which map in which time, before the map's drawing. */
export function RecordHead({ record, notice, children }: Props) {
  const map = useGetMapQuery({ id: record?.map._id ?? '' }, { skip: !record }).currentData?.data
  return (
    <Stage
      of="record"
      back={
        record && (
          <BackLink to={paths.leaderboardAt(record.map._id, record._id, record.rank ?? 1)} onPicture>
            <Trans>Back to the leaderboard</Trans>
          </BackLink>
        )
      }
      picture={map ? <MapPicture src={map.pictureUrl ?? map.imageUrl} alt={t`The map ${map.name}`} eager /> : null}
    >
      {record ? (
        <>
          <PageHeading length={record.player.name.length + record.map.name.length}>
            <Trans>
              <Name>{record.player.name}</Name> on <Name>{record.map.name}</Name>
            </Trans>
          </PageHeading>
          {notice}
          <HStack gap="3" mt="1">
            <Text
              fontFamily="heading"
              fontWeight="bold"
              lineHeight="1"
              fontSize={{ base: '5xl', md: '6xl' }}
              color={record.worldRecord?._id === record._id ? 'first.fg' : undefined}
              htmlTranslate="no"
            >
              {formatTime(record.finishTime)}
            </Text>
            {record.medal && <MedalIcon medal={record.medal} size={12} />}
          </HStack>
          <Text mt="1" color="fg.muted" minH="6">
            {map && medalText(record, map)}
          </Text>
          <Actions record={record}>{children}</Actions>
        </>
      ) : (
        <PageHeading>{t`Record`}</PageHeading>
      )}
    </Stage>
  )
}

function Actions({ record, children }: { record: RecordDetails; children: Elements }) {
  const { player, map, finishTime } = record
  const user = useSession()
  return (
    <HStack mt="3" gap="2" flexWrap="wrap">
      <ShareButton title={t`${formatTime(finishTime)} on ${isolated(map.name)}`} path={paths.record(record._id)} />
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
    </HStack>
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
