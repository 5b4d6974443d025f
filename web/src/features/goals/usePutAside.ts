import { t } from '@lingui/core/macro'
import { type MapRef, usePutGoalAsideMutation, useTakeUpGoalMutation } from '@/api'
import { errorText } from '@/api/error'
import { toaster } from '@/ui/toaster'

/** Returns a function that leaves a map out of the player's goals for a month; its toast has the undo. */
export function usePutAside(): (map: MapRef) => Promise<void> {
  const [putAside] = usePutGoalAsideMutation()
  const [takeUp] = useTakeUpGoalMutation()

  const undo = async (map: MapRef) => {
    const { error } = await takeUp({ map: map._id })
    if (error) toaster.error({ title: errorText(error, t`${map.name} could not be brought back`) })
  }
  return async (map) => {
    const { error } = await putAside({ map: map._id })
    if (error) {
      toaster.error({ title: errorText(error, t`${map.name} could not be put aside`) })
      return
    }
    toaster.success({
      title: t`${map.name} is put aside for a month`,
      action: { label: t`Undo`, onClick: () => void undo(map) },
    })
  }
}
