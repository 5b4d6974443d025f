import { useNavigate } from 'react-router'
import { ReplayDetails } from '@/features/replay/ReplayDetails'
import { api, type Map as ParkourMap, useSubmitRecordMutation } from '@/shared/api'
import { type Problem, problemCode } from '@/shared/api/problem'
import { toaster } from '@/shared/components/toaster'
import { FileDrop } from './FileDrop'
import { REPLAY_LIMIT_MB } from './fileRules'
import { existingId, fromServer, type SubmitProblem } from './problems'
import { recordProblems } from './rules'
import { SubmitForm } from './SubmitForm'
import { useReplayFile } from './useReplayFile'
import { useSubmission } from './useSubmission'

interface Props {
  // Of the route, where it names a map. The map comes later, or never where it is unknown.
  mapId: string | undefined
  map: ParkourMap | null
}

// RecordForm hands in a run.
export function RecordForm({ mapId, map }: Props) {
  const navigate = useNavigate()
  const findExisting = useExistingRecord()
  const [submitRecord] = useSubmitRecordMutation()
  const chosen = useReplayFile(REPLAY_LIMIT_MB.record)
  const { file, replay } = chosen

  const send = async (): Promise<SubmitProblem | null> => {
    if (!file) return null
    try {
      const { data } = await submitRecord({ recordSubmission: { replayFile: file, map: mapId } }).unwrap()
      toaster.success({ title: 'Record submitted successfully!' })
      const ranked = mapId ?? data.record.map
      navigate(ranked ? `/leaderboard/${ranked}` : '/map-search')
      return null
    } catch (problem) {
      const existing = await findExisting(problem)
      return { ...fromServer(problem, 'Failed to submit record'), ...(existing && { existing }) }
    }
  }

  const submission = useSubmission({
    check: (user) => recordProblems({ user, replay, map }),
    send,
  })

  return (
    <SubmitForm
      label="Record submission"
      button="Submit Record"
      endpoint="submitRecord"
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

// useExistingRecord finds where a visitor can go on from a refusal: to the record that exists, or to submit the map.
function useExistingRecord() {
  const [readRecord] = api.endpoints.getRecord.useLazyQuery()
  return async (problem: Problem): Promise<SubmitProblem['existing']> => {
    if (problemCode(problem) === 'map_unknown') return { to: '/map-submit', label: 'Submit the map first' }
    const id = existingId(problem, 'replay_exists')
    if (!id) return undefined
    const { data: answer } = await readRecord({ id })
    return (
      answer && { to: `/leaderboard/${answer.data.map._id}`, label: 'See the record that exists already' }
    )
  }
}
