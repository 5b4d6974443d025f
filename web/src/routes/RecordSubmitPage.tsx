import { t } from '@lingui/core/macro'
import { useParams } from 'react-router'
import { useGetMapQuery } from '@/api'
import { Loaded } from '@/api/Loaded'
import { useErrorToast } from '@/api/useErrorToast'
import { Explanation } from '@/features/submit/Explanation'
import { RecordForm } from '@/features/submit/RecordForm'
import { howToGetAReplay, recordFileRule, replayRules } from '@/features/submit/texts'
import { type Elements, Grid, Skeleton, Stack } from '@/ui'
import { isolated } from '@/ui/format'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { paths } from './paths'

export default function RecordSubmitPage() {
  const { mapId } = useParams()
  const query = useGetMapQuery({ id: mapId ?? '' }, { skip: !mapId })
  const map = query.currentData?.data
  const title = map ? t`Submit Record for ${isolated(map.name)}` : t`Submit Record`
  usePageTitle(title)
  const failed = t`Failed to load map data`
  useErrorToast(query.error, failed)
  return (
    <>
      <PageHeading hint={t`Every record is kept. The leaderboard shows each player's best.`}>{title}</PageHeading>
      {mapId ? (
        <Loaded
          query={query}
          messages={failed}
          skeleton={
            <Submission>
              <Skeleton h="14.875rem" />
            </Submission>
          }
          missing={
            <EmptyMessage
              title={t`Map not found`}
              hint={t`There is no such map, so no record can be submitted for it.`}
            >
              <ButtonLink to={paths.recordSubmit}>{t`Submit for another map`}</ButtonLink>
            </EmptyMessage>
          }
        >
          {(map) => (
            <Submission>
              {/* Another map begins with new state. */}
              <RecordForm key={mapId} mapId={mapId} map={map} />
            </Submission>
          )}
        </Loaded>
      ) : (
        <Submission>
          <RecordForm mapId={undefined} map={null} />
        </Submission>
      )}
    </>
  )
}

/** A form above what it needs and what its rules are. */
function Submission({ children }: { children: Elements }) {
  return (
    <Stack gap="8">
      {children}
      <Grid columns={{ base: 1, md: 2 }} gap="4" alignItems="start">
        <Explanation title={t`How to obtain a replay`} sentences={howToGetAReplay()} numbered open />
        <Explanation title={t`Upload rules`} sentences={[recordFileRule(), ...replayRules()]} open />
      </Grid>
    </Stack>
  )
}
