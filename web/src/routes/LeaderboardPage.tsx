import { msg, t } from '@lingui/core/macro'
import { useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { useGetMapQuery } from '@/api'
import { isNotFound } from '@/api/error'
import { Loaded } from '@/api/Loaded'
import { useErrorToast } from '@/api/useErrorToast'
import { type SubmissionResult, submittedOf } from '@/entities/record/submission'
import { Leaderboard } from '@/features/leaderboard/Leaderboard'
import { MapTitle } from '@/features/leaderboard/MapTitle'
import { MapVersions } from '@/features/leaderboard/MapVersions'
import { RecordCard } from '@/features/leaderboard/RecordCard'
import { MapDrawing } from '@/features/leaderboard/viewer/MapDrawing'
import { EditMap } from '@/features/map-edit/EditMap'
import { ReportButton } from '@/features/moderation/ReportButton'
import { UnderReview } from '@/features/moderation/UnderReview'
import { Box, Grid, Skeleton } from '@/ui'
import { DeferredUpdate } from '@/ui/DeferredUpdate'
import { isolated } from '@/ui/format'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { BackLink, ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { Stage } from '@/ui/stage'
import { WhenNear } from '@/ui/WhenNear'
import { paths } from './paths'

const messages = {
  refused: msg`Failed to load map details`,
  unreachable: msg`Something went wrong while loading data`,
}

// The head of the page.
const stage = { of: 'map', picture: null } as const
const TITLE_HEIGHT = '9rem'

// Only a submission leads to it. The toast has told the result where the banner's code cannot be loaded.
const SubmissionBanner = lazyPart(() => import('@/features/leaderboard/SubmissionBanner'))

const MapDetails = lazyPart(() => import('@/features/leaderboard/MapDetails'))

const HistorySection = lazyPart(() => import('@/features/leaderboard/history/HistorySection'))

export default function LeaderboardPage() {
  const { mapId = '' } = useParams()
  const submitted = submittedOf(useLocation().state)
  // The address of another page of the leaderboard has no submission: the last one stays until another map is opened.
  const [last, setLast] = useState({ mapId, submitted })
  if (last.mapId !== mapId || (submitted && last.submitted !== submitted)) setLast({ mapId, submitted })
  // Another map, or another submission, begins with new state.
  return <MapLeaderboard key={`${mapId} ${last.submitted?.record._id}`} mapId={mapId} submitted={last.submitted} />
}

function MapLeaderboard({ mapId, submitted }: { mapId: string; submitted: SubmissionResult | null }) {
  const query = useGetMapQuery({ id: mapId })
  const { currentData, error } = query
  const map = currentData?.data
  const missing = isNotFound(error)
  usePageTitle(map ? t`${isolated(map.name)}: Leaderboard` : t`Leaderboard`)
  useErrorToast(missing ? undefined : error, messages)

  const backLink = <BackLink to={paths.mapSearch} onPicture>{t`Back to Map Search`}</BackLink>
  // The ground below it is as high as that of a map's title.
  const plainTitle = (
    <Box minH={TITLE_HEIGHT}>
      <PageHeading>{t`Leaderboard`}</PageHeading>
    </Box>
  )
  if (missing) {
    return (
      <>
        <Stage {...stage} back={backLink}>
          {plainTitle}
        </Stage>
        <EmptyMessage title={t`Map not found`} hint={t`It may have been removed, or the link is incomplete.`}>
          <ButtonLink to={paths.allMaps}>{t`Browse Maps`}</ButtonLink>
        </EmptyMessage>
      </>
    )
  }
  return (
    <>
      <Stage {...stage} back={backLink} picture={map ? <MapDrawing map={map} /> : null}>
        {map ? (
          <MapTitle map={map}>
            <EditMap map={map} />
            <ReportButton kind="map" id={map._id} ownerId={map.author._id} />
          </MapTitle>
        ) : error ? (
          plainTitle
        ) : (
          <Skeleton h={TITLE_HEIGHT} w="72" maxW="full" aria-hidden="true" />
        )}
      </Stage>
      {map && submitted && (
        <LazyParts fallback={<Skeleton h="72" mb="6" aria-hidden="true" />}>
          <SubmissionBanner result={submitted} map={map} />
        </LazyParts>
      )}
      <Grid
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 18rem' }}
        gap={{ base: '6', lg: '8' }}
        alignItems="start"
      >
        <Box minW="0">
          {(map || !error) && (
            <RecordCard
              mapId={mapId}
              map={map}
              notice={map?.worldRecord && <UnderReview recordId={map.worldRecord._id} />}
            />
          )}
          {map && (map.version > 1 || !map.newest) && <MapVersions map={map} />}
          <Leaderboard mapId={mapId} />
          <WhenNear minH="16rem">
            <HistorySection mapId={mapId} />
          </WhenNear>
        </Box>
        <Box as="aside" aria-label={t`Map details`} minW="0">
          <DeferredUpdate>
            <Loaded query={query} messages={messages} skeleton={<Skeleton h="14rem" rounded="l3" aria-hidden="true" />}>
              {(map) => (
                <LazyParts fallback={<Skeleton h="14rem" rounded="l3" aria-hidden="true" />}>
                  <MapDetails map={map} />
                </LazyParts>
              )}
            </Loaded>
          </DeferredUpdate>
        </Box>
      </Grid>
    </>
  )
}
