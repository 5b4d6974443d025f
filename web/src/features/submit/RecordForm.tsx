import { ReplayDetails } from '@/features/replay/ReplayDetails'
import { api, type ParkourMap, useSubmitRecordMutation } from '@/shared/api'
import { type Problem, problemCode } from '@/shared/api/problem'
import { REPLAY_LIMIT_MB } from '@/shared/lib/fileRules'
import { FileDrop } from './FileDrop'
import { existingId, fromServer, type SubmitProblem } from './problems'
import { recordProblems } from './rules'
import { SubmitForm } from './SubmitForm'
import { useReplayFile } from './useReplayFile'
import { type Outcome, useSubmission } from './useSubmission'

const FAILED = 'Failed to submit record'

interface Props {
  // Of the route, where it names a map. The map comes later, or never where it is unknown.
  mapId: string | undefined
  map: ParkourMap | null
}

// RecordForm hands in a run.
export function RecordForm({ mapId, map }: Props) {
  const findWayOn = useWayOn()
  const [submitRecord] = useSubmitRecordMutation()
  const chosen = useReplayFile(REPLAY_LIMIT_MB.record)
  const { file, replay } = chosen

  const send = async (): Promise<Outcome> => {
    if (!file) return { problem: { messages: [FAILED] } }
    try {
      const { data } = await submitRecord({ recordSubmission: { replayFile: file, map: mapId } }).unwrap()
      const ranked = mapId ?? data.record.map
      return {
        done: 'Record submitted successfully!',
        to: ranked ? `/leaderboard/${ranked}` : '/map-search',
      }
    } catch (problem) {
      const wayOn = await findWayOn(problem)
      return { problem: { ...fromServer(problem, FAILED), ...(wayOn && { wayOn }) } }
    }
  }

  const submission = useSubmission({
    check: (user) => recordProblems({ user, replay, map }),
    send,
    failed: FAILED,
  })

  return (
    <SubmitForm
      label="Record submission"
      button="Submit Record"
      endpoint="submitRecord"
      reading={chosen.reading}
      submission={submission}
    >
      <FileDrop
        label="Replay (.lbReplay)"
        hint={`Your own run, up to ${REPLAY_LIMIT_MB.record} MB`}
        accept=".lbReplay"
        file={file}
        problem={chosen.problem}
        reading={chosen.reading}
        disabled={submission.sending}
        onFile={chosen.choose}
        onClear={chosen.clear}
      />
      {replay && <ReplayDetails replay={replay} />}
    </SubmitForm>
  )
}

// useWayOn finds where a visitor can go on from a refusal: to the record that exists, or to submit the map.
function useWayOn() {
  const [readRecord] = api.endpoints.getRecord.useLazyQuery()
  return async (problem: Problem): Promise<SubmitProblem['wayOn']> => {
    if (problemCode(problem) === 'map_unknown') return { to: '/map-submit', label: 'Submit the map first' }
    const id = existingId(problem, 'replay_exists')
    if (!id) return undefined
    const { data: answer } = await readRecord({ id })
    return (
      answer && { to: `/leaderboard/${answer.data.map._id}`, label: 'See the record that exists already' }
    )
  }
}
