// Context switch of the AAPCS64: x19-x30, d8-d15 and FPCR. See context.h for what each function
// promises.

	.set	FRAME, 176

	.macro save_context
	sub	sp, sp, #FRAME
	stp	x19, x20, [sp, #0]
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	x29, x30, [sp, #80]
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	mrs	x9, fpcr
	str	x9, [sp, #160]
	mov	x10, sp
	str	x10, [x0]
	.endm

	// Writing FPCR may cost a pipeline flush: only if it differs from what holds now.
	.macro load_context
	ldr	x9, [sp, #160]
	mrs	x10, fpcr
	cmp	x9, x10
	b.eq	1f
	msr	fpcr, x9
1:	ldp	x19, x20, [sp, #0]
	ldp	x21, x22, [sp, #16]
	ldp	x23, x24, [sp, #32]
	ldp	x25, x26, [sp, #48]
	ldp	x27, x28, [sp, #64]
	ldp	x29, x30, [sp, #80]
	ldp	d8, d9, [sp, #96]
	ldp	d10, d11, [sp, #112]
	ldp	d12, d13, [sp, #128]
	ldp	d14, d15, [sp, #144]
	add	sp, sp, #FRAME
	ret
	.endm

	.text

	.globl	context_swap
	.hidden	context_swap
	.type	context_swap, %function
	.p2align 4
context_swap:
	save_context
	mov	sp, x1
	load_context
	.size	context_swap, . - context_swap

	.globl	context_resume
	.hidden	context_resume
	.type	context_resume, %function
	.p2align 4
context_resume:
	mov	sp, x0
	load_context
	.size	context_resume, . - context_resume

	.globl	context_call
	.hidden	context_call
	.type	context_call, %function
	.p2align 4
context_call:
	save_context
	mov	sp, x1
	mov	x29, xzr		// the outermost frame of this stack, for unwinders
	mov	x30, xzr
	mov	x0, x3
	mov	x16, x2			// x16: the register by which BTI lets one jump to a function
	br	x16
	.size	context_call, . - context_call

	.section .note.GNU-stack, "", %progbits
