import { api, type ParkourMap, useSubmitRecordMutation } from '@/api'
import { errorCode, type QueryError, refusalOf } from '@/api/error'
import { recordSubmitted } from '@/entities/record/submission'
import { ReplayDetails } from '@/entities/replay/ReplayDetails'
import { REPLAY_LIMIT_MB } from '@/entities/upload/fileRules'
import { paths } from '@/routes/paths'
import type { User } from '@/session/session'
import { FileField } from './FileField'
import { errorOf, recordErrors } from './rules'
import { SubmitForm } from './SubmitForm'
import { MAP_VERSIONS } from './texts'
import { useReplayFile } from './useReplayFile'
import { type NextStep, type Outcome, useSubmission } from './useSubmission'

/** Submits a record, for the map of the route where it names one. */
export function RecordForm({ mapId, map }: { mapId: string | undefined; map: ParkourMap | null }) {
  const [submitRecord] = useSubmitRecordMutation()
  const [listRecords] = api.endpoints.listRecords.useLazyQuery()
  const chosen = useReplayFile(REPLAY_LIMIT_MB.record)
  const { file, replay } = chosen

  // The answer has the previous best time, and this has its rank and medal.
  const previousRecord = async (user: User) => {
    if (!mapId) return null
    const { data } = await listRecords({ map: mapId, player: user._id, limit: 1, offset: 0 })
    return data?.data[0] ?? null
  }

  const send = async (user: User): Promise<Outcome> => {
    if (!file) return { error: {} }
    const previous = await previousRecord(user)
    const { data, error } = await submitRecord({
      recordSubmission: { replayFile: file, ...(mapId && { map: mapId }) },
    })
    if (!data) return { error, nextStep: findNextStep(error) }
    const { record, rank } = data.data
    const rankedOn = mapId ?? record.map
    return {
      message: 'Record submitted successfully!',
      to: rankedOn ? paths.leaderboardAt(rankedOn, record._id, rank) : paths.mapSearch,
      state: recordSubmitted({
        ...data.data,
        previousRank: previous?.rank ?? null,
        previousMedal: previous?.medal ?? null,
      }),
    }
  }

  const submission = useSubmission({
    check: (user) => recordErrors({ user, replay, map }),
    send,
    fallback: 'Failed to submit record',
  })

  return (
    <SubmitForm label="Record submission" button="Submit Record" reading={chosen.reading} submission={submission}>
      <FileField
        label="Replay (.lbReplay)"
        hint={`Your own finish, up to ${REPLAY_LIMIT_MB.record} MB`}
        accept=".lbReplay"
        file={file}
        error={chosen.error ?? errorOf(submission.errors, 'replayFile')}
        reading={chosen.reading}
        disabled={submission.sending}
        onFile={chosen.choose}
        onClear={chosen.clear}
      />
      {replay && <ReplayDetails replay={replay} />}
    </SubmitForm>
  )
}

/** Returns the next step of a refusal: submitting the map or its version, or the record that exists already. */
function findNextStep(error: QueryError): NextStep | null {
  const code = errorCode(error)
  if (code === 'map_unknown') return { to: paths.mapSubmit, label: 'Submit the map first' }
  if (code === 'map_version_differs') {
    return { to: paths.mapSubmit, label: 'Submit this version of the map first', explanation: MAP_VERSIONS }
  }
  const id = refusalOf(error)?.data._id
  if ((code !== 'replay_exists' && code !== 'replay_copied') || typeof id !== 'string') return null
  return { to: paths.record(id), label: 'See the record that exists already' }
}
