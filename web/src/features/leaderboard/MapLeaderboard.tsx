import { useGetMapQuery } from '@/shared/api'
import { isNotFound, problemText } from '@/shared/api/problem'
import { BackLink } from '@/shared/components/BackLink'
import { ButtonLink } from '@/shared/components/Button'
import { EmptyState } from '@/shared/components/EmptyState'
import { PageHeading } from '@/shared/components/PageHeading'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { Stack } from '@/shared/components/Stack'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import { useProblemToast } from '@/shared/lib/useProblemToast'
import text from '@/shared/theme/text.module.css'
import { Leaderboard } from './Leaderboard'
import { MapDetails, MapDetailsSkeleton, MapTitle, MapTitleSkeleton } from './MapDetails'
import styles from './MapLeaderboard.module.css'

const FAILED = { failed: 'Failed to load map details', broken: 'Something went wrong while loading data' }

export function MapLeaderboard({ mapId }: { mapId: string }) {
  const { data, error, refetch } = useGetMapQuery({ id: mapId })
  const map = data?.data
  const missing = isNotFound(error)
  usePageTitle(map ? `${map.name}: Leaderboard` : 'Leaderboard')
  useProblemToast(missing ? undefined : error, FAILED)

  if (missing) {
    return (
      <>
        <BackLink to="/map-search">Back to Map Search</BackLink>
        <h1 className={text.hidden}>Leaderboard</h1>
        <EmptyState title="Map not found" hint="It may have been taken down, or the link is incomplete.">
          <ButtonLink to="/map-search">Browse Maps</ButtonLink>
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <BackLink to="/map-search">Back to Map Search</BackLink>
      {map ? (
        <MapTitle map={map} />
      ) : error ? (
        <div className={styles.title}>
          <PageHeading>Leaderboard</PageHeading>
        </div>
      ) : (
        <MapTitleSkeleton />
      )}
      <div className={styles.columns}>
        <Stack as="aside" gap={2} aria-label="Map details">
          {map ? (
            <MapDetails map={map} />
          ) : error ? (
            <ProblemAlert text={problemText(error, FAILED)} onRetry={refetch} />
          ) : (
            <MapDetailsSkeleton />
          )}
        </Stack>
        <Leaderboard mapId={mapId} medals={map?.medalTimes} />
      </div>
    </>
  )
}
