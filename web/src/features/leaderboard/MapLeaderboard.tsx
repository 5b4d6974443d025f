import { Grid, Heading, Stack } from '@chakra-ui/react'
import { useGetMapQuery } from '@/shared/api'
import { isNotFound, problemText } from '@/shared/api/problem'
import { BackLink } from '@/shared/components/BackLink'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { EmptyState } from '@/shared/components/EmptyState'
import { PageHeading } from '@/shared/components/PageHeading'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import { useProblemToast } from '@/shared/lib/useProblemToast'
import { Leaderboard } from './Leaderboard'
import { MapDetails, MapDetailsSkeleton, MapTitle, MapTitleSkeleton } from './MapDetails'

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
        <Heading as="h1" srOnly>
          Leaderboard
        </Heading>
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
        <PageHeading mb="6">Leaderboard</PageHeading>
      ) : (
        <MapTitleSkeleton />
      )}
      <Grid
        templateColumns={{ base: 'minmax(0, 1fr)', lg: '22rem minmax(0, 1fr)' }}
        gap={{ base: '6', lg: '8' }}
        alignItems="start"
      >
        <Stack as="aside" aria-label="Map details">
          {map ? (
            <MapDetails map={map} />
          ) : error ? (
            <ProblemAlert text={problemText(error, FAILED)} onRetry={refetch} />
          ) : (
            <MapDetailsSkeleton />
          )}
        </Stack>
        <Leaderboard mapId={mapId} medals={map?.medalTimes} />
      </Grid>
    </>
  )
}
