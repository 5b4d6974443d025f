import { useFieldContext } from '@ark-ui/react/field'
import type { ComponentType } from 'react'

type Described = ComponentType<{ 'aria-describedby': string | undefined }>

/**
 * Returns a control that is described by the help and the error of its Field. Ark refers to the error by
 * aria-errormessage alone, which not all screen readers read.
 */
export function fieldControl<Type>(control: Type): Type {
  const Control = control as Described
  function FieldControl(props: object) {
    const field = useFieldContext()
    const texts = [field?.invalid && field.ids.errorText, field?.ariaDescribedby].filter(Boolean)
    return <Control aria-describedby={texts.join(' ') || undefined} {...props} />
  }
  return FieldControl as Type
}
