import { t } from '@lingui/core/macro'
import { useWatch } from 'react-hook-form'
import { api, type ParkourMap, type Submitted, useSubmitRecordMutation } from '@/api'
import { errorCode, type QueryError, refusalOf } from '@/api/error'
import { recordSubmitted } from '@/entities/record/submission'
import { ReplayDetails } from '@/entities/replay/ReplayDetails'
import { REPLAY_LIMIT_MB } from '@/entities/upload/fileRules'
import { Form, type NextStep, type Outcome, useForm, useSubmit } from '@/forms'
import { paths } from '@/routes/paths'
import type { User } from '@/session/session'
import { ReplayField } from './ReplayField'
import { fieldOf, type RecordSubmission, type RecordValues, recordSchema } from './rules'
import { mapVersions } from './texts'

const limitMb = REPLAY_LIMIT_MB.record
const COMPARISON_TIMEOUT_MS = 2000
const NO_RECORD: RecordValues = { replayFile: null }

/** Submits a record, for the map of the route where it names one. */
export function RecordForm({ mapId, map }: { mapId: string | undefined; map: ParkourMap | null }) {
  const [submitRecord] = useSubmitRecordMutation()
  const [listRecords] = api.endpoints.listRecords.useLazyQuery()
  const [getPlayerPoints] = api.endpoints.getPlayerPoints.useLazyQuery()
  const form = useForm({ schema: () => recordSchema(map), defaultValues: NO_RECORD })

  // The answer has the previous best time alone.
  const previousRank = async (user: User) => {
    if (!mapId) return null
    const { data } = await listRecords({ map: mapId, player: user._id, limit: 1, offset: 0 })
    return data?.data[0]?.rank ?? null
  }

  const previousPoints = async (user: User) => {
    const { data } = await getPlayerPoints({ id: user._id, limit: 1 })
    return data ? { total: data.data.total, rank: data.data.rank } : null
  }

  const send = async ({ replayFile }: RecordSubmission, player: User): Promise<Outcome> => {
    const [rankBefore, pointsBefore] = await Promise.all([
      withTimeout(previousRank(player)),
      withTimeout(previousPoints(player)),
    ])
    const { data, error } = await submitRecord({
      recordSubmission: { replayFile: replayFile.file, ...(mapId && { map: mapId }) },
    })
    if (!data) return { error, nextStep: findNextStep(error) }
    return {
      message: t`Record submitted successfully!`,
      to: resultPage(data.data, mapId),
      state: recordSubmitted({
        ...data.data,
        previousRank: data.data.record.map === mapId ? rankBefore : null,
        pointsBefore,
      }),
    }
  }

  const submission = useSubmit(form, send, {
    fallback: t`Failed to submit record`,
    loginRequired: t`You must be logged in to submit a record`,
    fieldOf,
  })
  const chosen = useWatch({ control: form.control, name: 'replayFile' })
  const replay = chosen?.replay ?? null

  return (
    <Form
      form={form}
      submission={submission}
      label={t`Record submission`}
      button={t`Submit Record`}
      reading={chosen !== null && replay === null}
    >
      <ReplayField
        control={form.control}
        name="replayFile"
        label={t`Replay (.lbReplay)`}
        help={t`Your own finish, up to ${limitMb} MB`}
        limitMb={limitMb}
        takesDropped
      />
      {replay && <ReplayDetails replay={replay} />}
    </Form>
  )
}

/** Returns what a request answers within two seconds, or null: the record waits no longer for what is only compared. */
const withTimeout = <T,>(answer: Promise<T>): Promise<T | null> =>
  Promise.race([answer, new Promise<null>((resolve) => setTimeout(resolve, COMPARISON_TIMEOUT_MS, null))])

/** Returns the leaderboard of the map of the route, or that of the record where the route names no map. */
function resultPage({ record, rank }: Submitted, mapId: string | undefined): string {
  // A record of another version of the map is not on the leaderboard of the route.
  if (mapId && record.map !== mapId) return paths.leaderboard(mapId)
  return record.map ? paths.leaderboardAt(record.map, record._id, rank) : paths.mapSearch
}

/** Returns the next step of a refusal: submitting the map or its version, or the record that exists already. */
function findNextStep(error: QueryError): NextStep | null {
  const code = errorCode(error)
  if (code === 'map_unknown') return { to: paths.mapSubmit, label: t`Submit the map first` }
  if (code === 'map_version_differs') {
    return { to: paths.mapSubmit, label: t`Submit this version of the map first`, explanation: mapVersions() }
  }
  const id = refusalOf(error)?.data._id
  if ((code !== 'replay_exists' && code !== 'replay_copied') || typeof id !== 'string') return null
  return { to: paths.record(id), label: t`See the record that exists already` }
}
